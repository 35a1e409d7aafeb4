package dev.syncguard.postgres;

import java.lang.reflect.Method;
import java.util.List;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** Asks a pool how many connections it may open. There is no standard for that, only a few names. */
final class PoolSize {

    /** From here on a pool can spare a connection that listens. */
    static final int ENOUGH = 3;

    /** HikariCP, DBCP 2, DBCP 1 and Tomcat, c3p0 and UCP. */
    private static final List<String> GETTERS =
            List.of("getMaximumPoolSize", "getMaxTotal", "getMaxActive", "getMaxPoolSize");

    private PoolSize() {}

    static OptionalInt of(DataSource dataSource) {
        for (String getter : GETTERS) {
            try {
                Method method = dataSource.getClass().getMethod(getter);
                if (method.invoke(dataSource) instanceof Integer size) {
                    // Negative means without limit.
                    return OptionalInt.of(size < 0 ? Integer.MAX_VALUE : size);
                }
            } catch (ReflectiveOperationException | RuntimeException e) {
                // Another pool, or one that hides itself.
            }
        }
        return OptionalInt.empty();
    }
}
