package dev.syncguard.postgres;

import dev.syncguard.AbortSignal;
import dev.syncguard.postgres.PostgresStatement.Effect;
import java.lang.System.Logger.Level;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether the table has a place for labels. A backend that is given one looks once; tables of earlier versions, and of other
 * libraries, have none: the label is left out then, and a line in the log says so.
 */
final class PostgresLabels {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final PostgresStatement LABELS = PostgresStatement.load("labels.sql", Map.of(), Effect.READS);

    private final PostgresConnections connections;
    private final PostgresNames names;
    private volatile @Nullable Boolean kept;

    PostgresLabels(PostgresConnections connections, PostgresNames names) {
        this.connections = connections;
        this.names = names;
    }

    boolean isKept(@Nullable String label, long deadline, AbortSignal signal) {
        Boolean known = kept;
        return label != null && (known != null ? known : look(deadline, signal));
    }

    /** A failure is thrown: the acquire would meet it as well, after another command timeout. */
    private boolean look(long deadline, AbortSignal signal) {
        boolean found = connections.query(
                deadline, LABELS, arguments(), signal, rows -> rows.next() && rows.getBoolean("kept"));
        if (kept == null && !found) {
            LOGGER.log(Level.INFO, "the table of locks has no place for labels, they are left out; {0}", advice(names));
        }
        kept = found;
        return found;
    }

    private Map<String, Object> arguments() {
        return Map.of("schema", names.schema(), "locks_table", names.locks());
    }

    static String advice(PostgresNames names) {
        return "ALTER TABLE " + names.quotedLocks() + " ADD COLUMN IF NOT EXISTS label TEXT NULL,"
                + " ADD COLUMN IF NOT EXISTS label_lock_id TEXT COLLATE \"C\" NULL";
    }
}
