package dev.syncguard.postgres;

import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Tells which DataSources end a request for a connection in time by themselves. */
final class PoolLimits {

    /** The driver's test of a connection counts in seconds. */
    private static final long SHORTEST_TEST_MS = 1000;

    private PoolLimits() {}

    /** By its name: the class itself drags naming services in. */
    static boolean isDriver(DataSource dataSource) {
        return dataSource.getClass().getName().startsWith("org.postgresql.ds.");
    }

    /**
     * Returns whether a pool answers within a time whatever the server does: HikariCP takes its connectionTimeout and, if
     * that ends during the test of a connection, the test. It opens connections on other threads, but for the first.
     */
    static boolean end(DataSource dataSource, long nanos) {
        if (!dataSource.getClass().getName().equals("com.zaxxer.hikari.HikariDataSource")) {
            return false;
        }
        try {
            long waitMs = millis(dataSource, "getConnectionTimeout");
            long testMs = Math.max(SHORTEST_TEST_MS, millis(dataSource, "getValidationTimeout"));
            return TimeUnit.MILLISECONDS.toNanos(waitMs + testMs) <= nanos
                    && ask(dataSource, "getConnectionTestQuery") == null
                    && Boolean.TRUE.equals(ask(dataSource, "isRunning"));
        } catch (ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }

    private static long millis(DataSource dataSource, String getter) throws ReflectiveOperationException {
        return ask(dataSource, getter) instanceof Long millis ? millis : Integer.MAX_VALUE;
    }

    private static @Nullable Object ask(DataSource dataSource, String getter) throws ReflectiveOperationException {
        return dataSource.getClass().getMethod(getter).invoke(dataSource);
    }
}
