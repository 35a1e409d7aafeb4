package dev.syncguard.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.postgresql.Driver;

/** Finds out where a DataSource connects to, for error messages. There is no standard for that, only a few names. */
final class ServerAddress {

    /** What is said where nothing better is known. */
    static final String UNKNOWN = "the server";

    /** HikariCP; then the driver, DBCP and Tomcat. */
    private static final List<String> GETTERS = List.of("getJdbcUrl", "getUrl");

    /** A URL that was read wrongly may have a part of a password where the host should be: nothing else is shown. */
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9a-fA-F:.]+]");

    private ServerAddress() {}

    /** Returns whether it is the driver's own, without a pool. By its name: the class itself drags naming services in. */
    static boolean isDriver(DataSource dataSource) {
        return dataSource.getClass().getName().startsWith("org.postgresql.ds.");
    }

    /** Returns {@code host:port}, several of them separated by commas, or words that say that it is not known. */
    static String of(DataSource dataSource) {
        try {
            return ofPool(dataSource);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return UNKNOWN;
        }
    }

    private static String ofPool(DataSource pool) throws ReflectiveOperationException {
        for (String getter : GETTERS) {
            if (hasGetter(pool, getter) && pool.getClass().getMethod(getter).invoke(pool) instanceof String url) {
                return ofUrl(url);
            }
        }
        return UNKNOWN;
    }

    private static boolean hasGetter(DataSource pool, String getter) {
        for (var method : pool.getClass().getMethods()) {
            if (method.getName().equals(getter) && method.getParameterCount() == 0) {
                return true;
            }
        }
        return false;
    }

    private static String ofUrl(String url) {
        Properties parsed = Driver.parseURL(url, null);
        if (parsed == null) {
            return UNKNOWN;
        }
        String[] ports = parsed.getProperty("PGPORT", "5432").split(",", -1);
        int[] numbers = new int[ports.length];
        for (int i = 0; i < ports.length; i++) {
            numbers[i] = Integer.parseInt(ports[i]);
        }
        return text(parsed.getProperty("PGHOST", "localhost").split(",", -1), numbers);
    }

    private static String text(String[] hosts, int[] ports) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < hosts.length; i++) {
            if (!HOST.matcher(hosts[i]).matches()) {
                return UNKNOWN;
            }
            all.add(hosts[i] + ":" + ports[Math.min(i, ports.length - 1)]);
        }
        return String.join(",", all);
    }
}
