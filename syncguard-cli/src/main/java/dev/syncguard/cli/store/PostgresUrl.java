package dev.syncguard.cli.store;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.regex.Pattern;
import org.postgresql.PGProperty;

/**
 * Reads a PostgreSQL URL strictly. A password with an unencoded {@code #}, {@code ?}, {@code /} or {@code @} would otherwise
 * be cut into pieces, and one of them looked up as a host or shown in a message.
 */
final class PostgresUrl {

    private static final String HOST = "([A-Za-z0-9_]([A-Za-z0-9._-]*)|\\[[0-9A-Fa-f:.]+])(:[0-9]{1,5})?";
    private static final String ENCODED = "([^%@#?&\\s]|%[0-9A-Fa-f]{2})";
    private static final Pattern URL = Pattern.compile("(?i:(jdbc:)?postgres(ql)?):"
            + "(//([^%@#?/\\s:]|%[0-9A-Fa-f]{2})*(:([^%@#?/\\s]|%[0-9A-Fa-f]{2})*)?@|//)?"
            + "(" + HOST + "(," + HOST + ")*)?"
            + "(/" + ENCODED + "*|" + ENCODED + "*)"
            + "(\\?" + ENCODED + "*(&" + ENCODED + "*)*)?");

    private PostgresUrl() {}

    /** Returns the URL for the driver, without user and password. */
    static String forDriver(StoreAddress address) {
        if (!URL.matcher(address.url()).matches()) {
            throw invalid();
        }
        String url = address.withoutUser();
        boolean isJdbc = address.scheme().equals("jdbc");
        String rest = url.substring(url.indexOf(':', isJdbc ? 5 : 0));
        return "jdbc:postgresql" + (isJdbc ? rest : rest.replace("+", "%2B")); // only the driver takes a + for a space
    }

    static LockException invalid() {
        return new LockException(
                Code.INVALID_ARGUMENT,
                "invalid PostgreSQL URL; it looks like postgresql://user@host:5432/database?name=value, and in each"
                        + " part % # ? / @ & and spaces are written as %25 %23 %3F %2F %40 %26 %20");
    }

    static boolean isOfDriver(String parameter) {
        return PGProperty.forName(parameter) != null;
    }
}
