package dev.syncguard.postgres;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.regex.Pattern;

/**
 * Where the locks are kept. A name has 1 to 63 characters of {@code a-z 0-9 _} and does not begin with a digit; names
 * are always quoted and qualified, so that nothing can be read into them.
 *
 * @param schema the schema of both tables
 * @param locks the table of the locks
 * @param counters the table of the fence counters
 */
public record PostgresNames(String schema, String locks, String counters) {

    private static final Pattern ALLOWED = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

    /**
     * Checks that the names are allowed and the tables not the same.
     *
     * @param schema the schema of both tables
     * @param locks the table of the locks
     * @param counters the table of the fence counters
     * @throws LockException with {@link Code#INVALID_ARGUMENT} otherwise
     */
    public PostgresNames {
        check("schema", schema);
        check("locks", locks);
        check("counters", counters);
        if (schema.startsWith("pg_")) {
            throw invalid("schemas that begin with pg_ belong to the server");
        }
        if (locks.equals(counters)) {
            throw invalid("locks and counters need a table each");
        }
    }

    /**
     * Returns {@code public.syncguard_locks} and {@code public.syncguard_fence_counters}.
     *
     * @return the default names
     */
    public static PostgresNames defaults() {
        return new PostgresNames("public", "syncguard_locks", "syncguard_fence_counters");
    }

    /**
     * Returns the same tables in another schema.
     *
     * @param schema the schema
     * @return new names
     */
    public PostgresNames inSchema(String schema) {
        return new PostgresNames(schema, locks, counters);
    }

    String quotedLocks() {
        return quoted(locks);
    }

    String quotedCounters() {
        return quoted(counters);
    }

    String quoted(String table) {
        return '"' + schema + "\".\"" + table + '"';
    }

    private static void check(String what, String name) {
        if (name == null || !ALLOWED.matcher(name).matches()) {
            throw invalid("the name of " + what + " is not allowed");
        }
    }

    private static LockException invalid(String what) {
        return new LockException(
                Code.INVALID_ARGUMENT, what + "; a name has 1 to 63 of a-z 0-9 _ and does not begin with a digit");
    }
}
