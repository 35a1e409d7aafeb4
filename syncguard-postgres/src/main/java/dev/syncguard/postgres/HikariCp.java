package dev.syncguard.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A HikariCP pool, by the names of its public methods: the application brings along its version of it, or another pool. What
 * a version does not have counts as "no".
 */
final class HikariCp {

    /** The driver's test of a connection counts in seconds. */
    private static final long SHORTEST_TEST_MS = 1000;

    /** An operation may end so much late, as in {@link WatchedOperation}. */
    private static final long GRACE_MS = 100;

    private final DataSource dataSource;
    private final Method connectionTimeout;
    private final Method validationTimeout;
    private final Method testQuery;
    private final Method suspension;
    private final Method running;
    private final Method poolBean;
    private volatile @Nullable Pool pool;

    /** What is there once the first connection was asked for. */
    private record Pool(Object bean, Method size, Method lend) {}

    private HikariCp(DataSource dataSource) throws ReflectiveOperationException {
        this.dataSource = dataSource;
        Class<?> type = dataSource.getClass();
        connectionTimeout = type.getMethod("getConnectionTimeout");
        validationTimeout = type.getMethod("getValidationTimeout");
        testQuery = type.getMethod("getConnectionTestQuery");
        suspension = type.getMethod("isAllowPoolSuspension");
        running = type.getMethod("isRunning");
        poolBean = type.getMethod("getHikariPoolMXBean");
    }

    /** Returns the pool behind a DataSource; null if it is another one. */
    static @Nullable HikariCp of(DataSource dataSource) {
        if (!dataSource.getClass().getName().equals("com.zaxxer.hikari.HikariDataSource")) {
            return null;
        }
        try {
            return new HikariCp(dataSource);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    /**
     * Returns whether the pool answers within a time whatever the server does: it takes its connectionTimeout and, if that
     * ends during the test of a connection, the test. It opens connections on other threads, but for the first. A suspended
     * pool lets its callers wait without limit.
     *
     * <p>Over TLS a test on a silent server takes twice its time, because closing the socket reads from it once more. Such
     * tests follow one another from the beginning: what the pool had to wait for was in use just before, and is not tested.
     */
    boolean answersWithin(long nanos) {
        try {
            long waitMs = (Long) connectionTimeout.invoke(dataSource);
            long testMs = Math.max(SHORTEST_TEST_MS, (Long) validationTimeout.invoke(dataSource));
            long failedMs = 2 * testMs;
            long tests = (waitMs + failedMs - 1) / failedMs;
            return TimeUnit.MILLISECONDS.toNanos(waitMs + testMs) <= nanos
                    && TimeUnit.MILLISECONDS.toNanos(tests * failedMs - GRACE_MS) <= nanos
                    && testQuery.invoke(dataSource) == null
                    && isUsable();
        } catch (ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }

    private boolean isUsable() throws ReflectiveOperationException {
        return Boolean.FALSE.equals(suspension.invoke(dataSource)) && Boolean.TRUE.equals(running.invoke(dataSource));
    }

    /** Returns how many connections the pool has, idle or lent; 0 if that is not known. */
    int size() {
        try {
            Pool found = pool();
            return found == null ? 0 : (Integer) found.size.invoke(found.bean);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return 0;
        }
    }

    /**
     * Asks for a connection on this thread.
     *
     * @param millis for how long to wait for a free one; a test of that one comes on top
     * @return null if there was none, for whatever reason
     */
    @Nullable
    Connection lend(long millis) {
        try {
            Pool found = pool();
            return found == null ? null : (Connection) found.lend.invoke(found.bean, millis);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException) {
                return null;
            }
            throw unchecked(e);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private static RuntimeException unchecked(InvocationTargetException e) {
        if (e.getCause() instanceof Error error) {
            throw error;
        }
        return e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
    }

    private @Nullable Pool pool() throws ReflectiveOperationException {
        Pool found = pool;
        if (found == null && isUsable()) {
            Object bean = poolBean.invoke(dataSource);
            Class<?> type = bean.getClass();
            found = new Pool(bean, type.getMethod("getTotalConnections"), type.getMethod("getConnection", long.class));
            pool = found;
        }
        return found;
    }
}
