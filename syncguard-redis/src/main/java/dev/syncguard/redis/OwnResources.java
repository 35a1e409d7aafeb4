package dev.syncguard.redis;

import dev.syncguard.spi.support.InterruptShield;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The threads and channels of a client that we opened; they end with it. */
record OwnResources(ClientResources resources, ClientChannels channels) {

    private static final long LONGEST_SHUTDOWN = TimeUnit.SECONDS.toNanos(3);

    static OwnResources create(Duration timeout) {
        ClientChannels channels = new ClientChannels(timeout);
        return new OwnResources(RedisOptions.resources(channels), channels);
    }

    /** Begins to end a client. */
    CompletableFuture<Void> close(AbstractRedisClient client) {
        channels.closing();
        return client.shutdownAsync(0, 1, TimeUnit.SECONDS);
    }

    /** Ends a client, and then the threads. */
    void shutdown(AbstractRedisClient client) {
        try {
            InterruptShield.get(close(client), LONGEST_SHUTDOWN);
        } catch (ExecutionException | TimeoutException e) {
            System.getLogger("dev.syncguard")
                    .log(System.Logger.Level.DEBUG, "a connection was not closed in time: {0}", e.getMessage());
        }
        release();
    }

    /** Ends the threads. */
    void release() {
        var unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
