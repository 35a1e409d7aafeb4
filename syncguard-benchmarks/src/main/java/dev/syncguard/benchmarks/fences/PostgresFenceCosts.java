package dev.syncguard.benchmarks.fences;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.fence.jdbc.FenceColumn;
import dev.syncguard.fence.jdbc.JdbcFenceGuard;
import dev.syncguard.postgres.PostgresLeaseCheck;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.postgres.PostgresSchema;
import dev.syncguard.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A transaction with one update, without and with its guards; each thread has a row of its own. */
final class PostgresFenceCosts {

    private static final LockOptions LONG = LockOptions.defaults().ttl(Duration.ofHours(1));
    private static final Fence FENCE = new Fence(1_000);

    private final HikariDataSource pool;
    private final JdbcFenceGuard fences = JdbcFenceGuard.create();
    private final FenceColumn accounts = new FenceColumn("accounts", "id", "fence");
    private final PostgresLeaseCheck check = PostgresLeaseCheck.create();
    private final List<Lease> leases = new ArrayList<>();

    private PostgresFenceCosts(HikariDataSource pool) {
        this.pool = pool;
    }

    /** What is measured on a fresh server, with commits that wait for the disk. */
    private interface Measurement {
        List<String> on(PostgresFenceCosts costs, SyncGuard guard) throws Exception;
    }

    private static List<String> run(Measurement measurement) throws Exception {
        HikariConfig config = new HikariConfig();
        try (PostgresServer server = PostgresServer.start(Map.of("fsync", "on", "synchronous_commit", "on"))) {
            config.setJdbcUrl(server.url());
            config.setMaximumPoolSize(12);
            try (HikariDataSource pool = new HikariDataSource(config)) {
                PostgresSchema.create(pool, PostgresNames.defaults());
                PostgresFenceCosts costs = new PostgresFenceCosts(pool);
                costs.prepare();
                try (SyncGuard guard =
                        SyncGuard.of(PostgresLockBackend.builder(pool).build())) {
                    return measurement.on(costs, guard);
                }
            }
        }
    }

    private void prepare() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            fences.createTable(connection);
            connection
                    .createStatement()
                    .execute("CREATE TABLE accounts (id BIGINT PRIMARY KEY, balance BIGINT, fence BIGINT)"
                            + " WITH (fillfactor = 50)");
            connection.createStatement().execute("INSERT INTO accounts SELECT n, 0, 0 FROM generate_series(0, 99) n");
        }
    }

    static List<String> writes(int threads, int rounds, int millis) throws Exception {
        return run((costs, guard) -> {
            for (int i = 0; i < threads; i++) {
                costs.leases.add(guard.acquire("account:" + i, LONG));
            }
            return new Turns(threads, rounds, millis)
                    .with("update, commit", thread -> costs.write(thread, (connection, id) -> {}, false))
                    .with(
                            "update with `AND fence <= ?`, commit",
                            thread -> costs.write(thread, (connection, id) -> {}, true))
                    .with(
                            "`JdbcFenceGuard.advance`, update, commit",
                            thread -> costs.write(
                                    thread,
                                    (connection, id) -> costs.fences.advance(connection, "account:" + id, FENCE),
                                    false))
                    .with(
                            "`assertHeld`, update, commit",
                            thread -> costs.write(
                                    thread,
                                    (connection, id) -> costs.check.assertHeld(connection, costs.leases.get(id)),
                                    false))
                    .rows();
        });
    }

    private interface Before {
        void run(Connection connection, int id) throws SQLException;
    }

    private void write(int id, Before before, boolean fenced) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            before.run(connection, id);
            String sql = "UPDATE accounts SET balance = balance + 1" + (fenced ? ", fence = ?" : "") + " WHERE id = ?"
                    + (fenced ? " AND fence <= ?" : "");
            try (PreparedStatement update = connection.prepareStatement(sql)) {
                int place = 1;
                if (fenced) {
                    update.setLong(place++, FENCE.value());
                }
                update.setLong(place++, id);
                if (fenced) {
                    update.setLong(place, FENCE.value());
                    accounts.requireWritten(connection, (long) id, FENCE, update.executeUpdate());
                } else {
                    update.executeUpdate();
                }
            }
            connection.commit();
        }
    }

    static List<String> renewals(int rounds, int millis) throws Exception {
        return run((costs, guard) -> {
            Lease free = guard.acquire("free", LONG);
            Lease asserted = guard.acquire("asserted", LONG);
            try (Connection open = costs.pool.getConnection()) {
                open.setAutoCommit(false);
                costs.check.assertHeld(open, asserted);
                return new Turns(1, rounds, millis)
                        .with("`lease.extend`", thread -> free.extend(Duration.ofHours(1)))
                        .with(
                                "`lease.extend` while a transaction that passed `assertHeld` is open",
                                thread -> asserted.extend(Duration.ofHours(1)))
                        .rows();
            }
        });
    }
}
