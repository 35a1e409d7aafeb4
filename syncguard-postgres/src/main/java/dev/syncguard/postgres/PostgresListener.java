package dev.syncguard.postgres;

import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * The thread that listens: registers the keys that are waited for, passes notifications on, connects again.
 *
 * <p>It alone uses the connection. A new waiter is registered when the current read ends, so reads are short.
 */
final class PostgresListener implements Runnable {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final int READ_MILLIS = 10;
    private static final long PING_EVERY = TimeUnit.SECONDS.toNanos(5);
    private static final long GIVE_BACK_AFTER = TimeUnit.SECONDS.toNanos(10);
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE_IF_SWALLOWED = TimeUnit.MINUTES.toNanos(1);

    private final DataSource source;
    private final PostgresConnections connections;
    private final PostgresChannel channel;
    private final WaitedKeys waited;
    private long pause = FIRST_PAUSE;
    private boolean warned;

    PostgresListener(DataSource source, PostgresConnections connections, PostgresChannel channel, WaitedKeys waited) {
        this.source = source;
        this.connections = connections;
        this.channel = channel;
        this.waited = waited;
    }

    @Override
    public void run() {
        while (!waited.isClosed()) {
            if (waited.await(Long.MAX_VALUE)) {
                listen();
            }
        }
    }

    private void listen() {
        try (ListeningConnection connection = ListeningConnection.open(source, connections, channel)) {
            if (!connection.receives(connections)) {
                swallowed();
                return;
            }
            pause = FIRST_PAUSE;
            serve(connection);
        } catch (Throwable e) {
            // Also of a wake-up that throws, against its contract: the other waiters go on.
            LOGGER.log(Level.DEBUG, "no listening connection, waiters poll: {0}", e.getMessage());
            waited.disconnected();
            waited.pause(pause);
            pause = Math.min(pause * 2, LONGEST_PAUSE);
        }
    }

    private void swallowed() {
        LOGGER.log(
                warned ? Level.DEBUG : Level.WARNING,
                "notifications of the database do not arrive, so waiters poll: a pooler in transaction mode swallows"
                        + " them; give the backend a direct connection with listenOn(…), or say pollOnly()");
        warned = true;
        waited.pause(PAUSE_IF_SWALLOWED);
    }

    /** Until nobody has waited for some time. */
    private void serve(ListeningConnection connection) throws SQLException {
        long lastContact = System.nanoTime();
        while (waited.await(GIVE_BACK_AFTER)) {
            List<String> fresh = waited.unregistered();
            connection.register(fresh, waited::registered);
            List<Long> idle = waited.takeIdle();
            connection.unregister(idle);
            if (!fresh.isEmpty() || !idle.isEmpty()) {
                lastContact = System.nanoTime();
            } else if (System.nanoTime() - lastContact > PING_EVERY) {
                connection.ping();
                lastContact = System.nanoTime();
            }
            connection.released(READ_MILLIS).forEach(waited::wake);
        }
        connection.unregister(waited.disconnected());
    }
}
