package dev.syncguard.postgres;

import dev.syncguard.AbortSignal;
import dev.syncguard.postgres.PostgresStatement.Effect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** A session that listens and holds the advisory locks of the waiters. One that failed is closed for good. */
final class ListeningConnection implements AutoCloseable {

    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final PostgresStatement PROBE =
            new PostgresStatement("SELECT pg_catalog.pg_notify(?, ?)", List.of("channel", "payload"), Effect.READS);

    private final BorrowedConnection borrowed;
    private final Connection connection;
    private final PostgresChannel channel;
    private boolean sound;
    private int held;

    private ListeningConnection(BorrowedConnection borrowed, PostgresChannel channel) {
        this.borrowed = borrowed;
        this.connection = borrowed.get();
        this.channel = channel;
    }

    static ListeningConnection open(DataSource source, PostgresConnections connections, PostgresChannel channel)
            throws SQLException {
        ListeningConnection listening = new ListeningConnection(connections.borrow(source), channel);
        try {
            listening.borrowed.limit(connections.commandTimeout().toMillis());
            listening.execute("LISTEN \"" + channel.name() + "\"");
            return listening;
        } catch (Throwable e) {
            listening.close();
            throw e;
        }
    }

    /**
     * Tells whether notifications come through, by one that another connection sends. One from this connection would not
     * do: a transaction pooler passes on what arrives together with an answer.
     */
    boolean receives(PostgresConnections connections) throws SQLException {
        String payload = "probe-" + UUID.randomUUID();
        connections.query(
                PROBE, Map.of("channel", channel.name(), "payload", payload), AbortSignal.none(), rows -> true);
        long start = System.nanoTime();
        while (System.nanoTime() - start < PROBE_NANOS) {
            if (payloads(100).contains(payload)) {
                sound = true;
                return true;
            }
        }
        return false;
    }

    /** What to do with a key that the server has registered. */
    interface Registered {
        void accept(String key, long hash);
    }

    /** Takes the locks of the keys, but of those that are being released at this moment. */
    void register(Collection<String> keys, Registered registered) throws SQLException {
        if (keys.isEmpty()) {
            return;
        }
        String sql =
                "SELECT key, hash FROM (SELECT key, pg_catalog.hashtextextended(key, ?) AS hash FROM unnest(?) AS key) AS wanted"
                        + " WHERE pg_catalog.pg_try_advisory_lock_shared(hash)";
        sound(() -> {
            try (PreparedStatement query = connection.prepareStatement(sql)) {
                query.setLong(1, channel.seed());
                query.setArray(2, connection.createArrayOf("text", keys.toArray()));
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        held++;
                        registered.accept(rows.getString(1), rows.getLong(2));
                    }
                }
                return true;
            }
        });
    }

    void unregister(Collection<Long> hashes) throws SQLException {
        if (hashes.isEmpty()) {
            return;
        }
        sound(() -> {
            try (PreparedStatement query = connection.prepareStatement(
                    "SELECT pg_catalog.pg_advisory_unlock_shared(hash) FROM unnest(?) AS hash")) {
                query.setArray(1, connection.createArrayOf("int8", hashes.toArray()));
                query.execute();
                held -= hashes.size();
                return true;
            }
        });
    }

    void ping() throws SQLException {
        sound(() -> execute("SELECT 1"));
    }

    /** Waits a moment for notifications; returns the hashes of the keys that were released. */
    List<Long> released(int millis) throws SQLException {
        List<Long> hashes = new ArrayList<>();
        for (String payload : sound(() -> payloads(millis))) {
            try {
                hashes.add(Long.parseLong(payload));
            } catch (NumberFormatException e) {
                // Another process tries whether notifications come through.
            }
        }
        return hashes;
    }

    private List<String> payloads(int millis) throws SQLException {
        PGNotification[] notifications = connection.unwrap(PGConnection.class).getNotifications(millis);
        List<String> payloads = new ArrayList<>();
        if (notifications != null) {
            for (PGNotification notification : notifications) {
                payloads.add(notification.getParameter());
            }
        }
        return payloads;
    }

    private boolean execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
        }
    }

    private interface Work<T> {
        T run() throws SQLException;
    }

    private <T> T sound(Work<T> work) throws SQLException {
        sound = false;
        T result = work.run();
        sound = true;
        return result;
    }

    /** Gives the connection back to its pool without a trace, or closes it if there may be one. */
    @Override
    public void close() {
        sound &= held == 0;
        try {
            if (sound) {
                sound(() -> execute("UNLISTEN \"" + channel.name() + "\""));
            }
        } catch (SQLException e) {
            // Not sound, then.
        }
        if (!sound) {
            WatchedOperation.abort(connection);
        }
        borrowed.close();
    }
}
