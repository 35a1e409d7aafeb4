package dev.syncguard.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Leaves a server that became a replica and kept its clients, as managed servers do in a failover: the driver never looks
 * anew for the primary while a connection stands. QUIT makes the server close it after what was sent before has been
 * answered; the driver opens it again, and asks the name service or the sentinels for the address.
 */
final class ReplicaExit {

    /** The address may still be the old one for a while. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final StatefulConnection<String, String> connection;
    private final AtomicLong lastNanos = new AtomicLong(System.nanoTime() - PAUSE_NANOS);

    ReplicaExit(StatefulConnection<String, String> connection) {
        this.connection = connection;
    }

    void after(Throwable failure) {
        if (!RedisErrors.isReplica(failure) || !connection.getOptions().isAutoReconnect()) {
            return;
        }
        long now = System.nanoTime();
        long last = lastNanos.get();
        if (now - last >= PAUSE_NANOS && lastNanos.compareAndSet(last, now)) {
            var unused = connection.dispatch(RedisCall.of(CommandType.QUIT));
        }
    }
}
