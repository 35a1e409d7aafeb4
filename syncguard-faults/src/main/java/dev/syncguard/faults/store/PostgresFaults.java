package dev.syncguard.faults.store;

import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.nemesis.Strike;
import dev.syncguard.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** What can happen to a PostgreSQL server that keeps its data. */
final class PostgresFaults {

    private static final String OTHERS =
            " FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

    private final PostgresServer server;
    private final PGSimpleDataSource direct;

    PostgresFaults(PostgresServer server, PGSimpleDataSource direct) {
        this.server = server;
        this.direct = direct;
    }

    List<Fault> all() {
        return List.of(
                Fault.of("server-crash", this::crash),
                Fault.of("server-freeze", this::freeze),
                Fault.of("terminate-backends", this::terminate),
                Fault.of("cancel-backends", this::cancel),
                Fault.of("row-stall", this::stallRow),
                Fault.of("table-stall", this::stallTable),
                Fault.of("vacuum", this::vacuum),
                Fault.of("reference-client", new ReferenceClient(direct)::use));
    }

    private void crash(Strike strike) {
        strike.begin("postgres");
        server.crash();
        strike.last(0, 200);
        server.restart();
    }

    private void freeze(Strike strike) {
        strike.begin("postgres");
        server.freeze();
        strike.last(50, 1200);
        server.thaw();
    }

    private void terminate(Strike strike) throws SQLException {
        strike.begin("postgres");
        PostgresStore.run(direct, "SELECT pg_terminate_backend(pid)" + OTHERS);
    }

    private void cancel(Strike strike) throws SQLException {
        strike.begin("postgres");
        for (int i = 0; i < 5; i++) {
            PostgresStore.run(direct, "SELECT pg_cancel_backend(pid)" + OTHERS);
            strike.last(5, 30);
        }
    }

    /** Another transaction holds the row of a lock. Its end is written down before the row is free. */
    private void stallRow(Strike strike) throws SQLException {
        try (Connection connection = direct.getConnection()) {
            connection.setAutoCommit(false);
            String some = strike.draw(3) > 0
                    ? "WHERE user_key LIKE 'zq7:late-%' AND expires_at_ms > " + System.currentTimeMillis()
                    : "";
            String sql = "SELECT user_key FROM syncguard_locks " + some + " ORDER BY random() LIMIT 1";
            String key = PostgresStore.first(connection, sql);
            if (!key.isEmpty() && isLocked(connection, key)) {
                strike.begin("row", key, "");
                strike.last(100, 600);
                strike.end();
            }
            connection.commit();
        }
    }

    private static boolean isLocked(Connection connection, String key) throws SQLException {
        String sql = "SELECT 1 FROM syncguard_locks WHERE user_key = ? FOR UPDATE NOWAIT";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, key);
            return statement.executeQuery().next();
        } catch (SQLException e) {
            return false; // somebody has it
        }
    }

    private void stallTable(Strike strike) throws SQLException {
        strike.begin("table");
        try (Connection connection = direct.getConnection()) {
            connection.setAutoCommit(false);
            PostgresStore.first(connection, "SELECT set_config('lock_timeout', '2000', true)");
            connection.createStatement().execute("LOCK TABLE syncguard_locks IN EXCLUSIVE MODE");
            strike.last(50, 600);
            connection.commit();
        }
    }

    private void vacuum(Strike strike) throws SQLException {
        strike.begin("postgres");
        PostgresStore.run(
                direct, strike.draw(2) == 0 ? "VACUUM FULL syncguard_locks" : "REINDEX TABLE syncguard_locks");
    }
}
