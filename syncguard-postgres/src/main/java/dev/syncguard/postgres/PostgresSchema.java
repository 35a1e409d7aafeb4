package dev.syncguard.postgres;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.postgres.PostgresErrors.Phase;
import dev.syncguard.postgres.PostgresStatement.Effect;
import dev.syncguard.postgres.SchemaCheck.Found;
import dev.syncguard.spi.support.Settings;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** The tables that hold the locks: creates them, or says what is missing. */
public final class PostgresSchema {

    /** The creators of all processes queue behind this advisory lock; an arbitrary number. */
    static final long CREATOR = 0x53796e6347756172L;

    private static final int LONGEST_NAME = 63;
    private static final String INDEX = "_expires_at_ms_idx";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private PostgresSchema() {}

    /**
     * Creates the schema, the tables and the index as far as they are missing, and changes nothing that exists. Safe to run
     * by many processes at once, and again. A role that may not create anything can run it, too, if everything is there.
     *
     * @param dataSource gives connections to the database
     * @param names where to make them
     * @throws LockException if the database cannot be reached or the role may not create them
     */
    public static void create(DataSource dataSource, PostgresNames names) {
        create(dataSource, names, TIMEOUT);
    }

    static void create(DataSource dataSource, PostgresNames names, Duration timeout) {
        if (lookAt(dataSource, names).missing().isEmpty()) {
            return;
        }
        try (PostgresConnections connections = new PostgresConnections(dataSource, timeout);
                BorrowedConnection borrowed = connections.borrow(dataSource);
                Statement statement = borrowed.get().createStatement()) {
            borrowed.limit(timeout.toMillis());
            statement.execute(createAll(names));
        } catch (SQLException e) {
            throw PostgresErrors.translate(e, Phase.WRITING);
        }
    }

    /** One statement and so one transaction: IF NOT EXISTS alone fails when two sessions create the same table. */
    private static String createAll(PostgresNames names) {
        return "DO $create$ BEGIN PERFORM pg_advisory_xact_lock(" + CREATOR + ");"
                + " IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = '" + names.schema() + "')"
                + " THEN CREATE SCHEMA \"" + names.schema() + "\"; END IF;\n"
                + script(names) + "END $create$";
    }

    /**
     * Returns the script that creates the tables and the index, for a migration tool or a person. It does not create the
     * schema.
     *
     * @param names where to make them
     * @return {@code schema.sql} with these names
     */
    public static String script(PostgresNames names) {
        PostgresNames defaults = PostgresNames.defaults();
        return PostgresStatement.resource("schema.sql")
                .replace("SCHEMA \"" + defaults.schema(), "SCHEMA \"" + names.schema())
                .replace('"' + defaults.locks() + INDEX + '"', '"' + indexName(names.locks()) + '"')
                .replace(defaults.quotedLocks(), names.quotedLocks())
                .replace(defaults.quotedCounters(), names.quotedCounters());
    }

    /** The server cuts long names off silently, and two tables would then share the name of their index. */
    private static String indexName(String table) {
        String name = table + INDEX;
        return name.length() <= LONGEST_NAME
                ? name
                : table.substring(0, 30) + Integer.toHexString(table.hashCode()) + INDEX;
    }

    /**
     * Looks for the tables, their columns and indexes, and for keys that are not compared byte by byte.
     *
     * @param dataSource gives connections to the database
     * @param names where to look
     * @return what is missing or wrong, one entry each; empty if all is as it should be
     * @throws LockException if the database cannot be reached
     */
    public static List<String> check(DataSource dataSource, PostgresNames names) {
        SchemaCheck found = lookAt(dataSource, names);
        return Stream.concat(found.missing().stream(), found.collations().stream())
                .toList();
    }

    private static SchemaCheck lookAt(DataSource dataSource, PostgresNames names) {
        try (PostgresConnections connections =
                new PostgresConnections(Settings.required("dataSource", dataSource), TIMEOUT)) {
            return lookAt(connections, Settings.required("names", names), AbortSignal.none());
        }
    }

    static SchemaCheck lookAt(PostgresConnections connections, PostgresNames names, AbortSignal signal) {
        PostgresStatement columns = PostgresStatement.load("columns.sql", Map.of(), Effect.READS);
        return connections.query(columns, arguments(names), signal, rows -> {
            SchemaCheck check = new SchemaCheck(names);
            while (rows.next()) {
                check.found(
                        rows.getString("table_name"),
                        rows.getString("column_name"),
                        new Found(
                                rows.getString("type"),
                                rows.getBoolean("has_index"),
                                rows.getBoolean("is_unique"),
                                rows.getBoolean("by_bytes")));
            }
            return check;
        });
    }

    static Map<String, Object> arguments(PostgresNames names) {
        return Map.of("schema", names.schema(), "locks_table", names.locks(), "counters_table", names.counters());
    }
}
