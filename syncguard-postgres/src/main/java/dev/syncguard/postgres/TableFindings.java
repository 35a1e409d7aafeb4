package dev.syncguard.postgres;

import static dev.syncguard.postgres.SettingFindings.ok;

import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Judges the two tables: what is missing, who else uses them, and what makes them slow. */
record TableFindings(PostgresNames names, boolean noOtherLibrary) {

    static final long MANY_COUNTERS = 1_000_000;

    List<Finding> schema(SchemaCheck found) {
        List<String> missing = found.missing();
        boolean onlySlow = missing.stream().allMatch(entry -> entry.startsWith("index "));
        Finding complete = missing.isEmpty()
                ? ok("postgres.index", "tables, columns and indexes are complete")
                : new Finding(
                        "postgres.index",
                        onlySlow ? Level.WARN : Level.DANGER,
                        "missing: " + String.join(", ", missing),
                        "run PostgresSchema.create or schema.sql" + forOtherNames());
        List<String> collations = found.collations();
        Finding collation = collations.isEmpty()
                ? ok("postgres.collation", "keys are compared byte by byte")
                : new Finding(
                        "postgres.collation",
                        Level.WARN,
                        "keys are ordered by a library of the system; an upgrade of it can make an index miss a lock, and"
                                + " then there are two holders",
                        "set " + String.join("; ", collations));
        return List.of(complete, collation, labels(found.hasLabels()));
    }

    private String forOtherNames() {
        return names.equals(PostgresNames.defaults())
                ? ""
                : " for " + names.quotedLocks() + " and " + names.quotedCounters();
    }

    /** No weakness: who holds a lock is for people to know. */
    private Finding labels(boolean kept) {
        return kept
                ? ok("postgres.labels", "the table keeps the labels of holders")
                : new Finding(
                        "postgres.labels",
                        Level.OK,
                        "the table has no place for the labels of holders: they are left out",
                        PostgresLabels.advice(names));
    }

    List<Finding> counters(ResultSet rows) throws SQLException {
        rows.next();
        long count = rows.getLong("counters");
        Finding counted = count < MANY_COUNTERS
                ? ok("postgres.counters", count + " fence counters")
                : new Finding(
                        "postgres.counters",
                        Level.WARN,
                        "a million fence counters or more; they are never deleted",
                        "use fewer different keys");
        return List.of(counted, clients(rows.getLong("of_others")));
    }

    private Finding clients(long countersOfOthers) {
        if (!noOtherLibrary) {
            return ok("postgres.clients", "clients of other libraries may use the same tables");
        }
        return countersOfOthers == 0
                ? ok("postgres.clients", "no trace of a client of another library")
                : new Finding(
                        "postgres.clients",
                        Level.DANGER,
                        "another library has locked keys in these tables (" + countersOfOthers
                                + " counters have a key_debug), and overwrites locks of a backend that says"
                                + " assumeNoOtherLibrary",
                        "leave out assumeNoOtherLibrary; if no such client runs any more: UPDATE "
                                + names.quotedCounters() + " SET key_debug = NULL WHERE key_debug IS NOT NULL");
    }

    static Finding transactions(long oldestSeconds, long limitSeconds) {
        return oldestSeconds < limitSeconds
                ? ok("postgres.transactions", "no long transaction, as far as this role can see")
                : new Finding(
                        "postgres.transactions",
                        Level.WARN,
                        "a transaction is open since " + oldestSeconds
                                + " s; until it ends no dead row can be removed, and locks that change hands often get"
                                + " slower and slower",
                        "end it (pg_stat_activity, pg_prepared_xacts), and set idle_in_transaction_session_timeout");
    }

    static Finding deadRows(@Nullable String tables) {
        return tables == null
                ? ok("postgres.dead_rows", "few dead rows")
                : new Finding(
                        "postgres.dead_rows",
                        Level.WARN,
                        "many dead rows make acquires slow: " + tables,
                        "look for long transactions, then VACUUM the tables; autovacuum must be on");
    }
}
