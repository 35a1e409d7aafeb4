package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Opening connections. */
class OpenedLinkTest {

    /** What the driver is left with if it meets a process that may have no more threads. */
    private static final class NeverStarted extends Thread {

        NeverStarted(Runnable task) {
            super(task);
        }

        @Override
        public synchronized void start() {
            // No more threads, and the driver does not say so.
        }
    }

    private static ThreadFactory daemon() {
        return task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        };
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @DisplayName("a connection is not waited for without end if the driver's threads did not start")
    void noThreads() {
        RedisURI uri = RedisURI.create("redis://127.0.0.1:1");
        uri.setTimeout(Duration.ofMillis(100));
        ClientResources resources = ClientResources.builder()
                .threadFactoryProvider(
                        name -> name.contains("nio") || name.contains("poll") ? NeverStarted::new : daemon())
                .build();

        Throwable failure = catchThrowable(() -> OpenedLink.to(RedisClient.create(resources, uri), uri, null));

        assertThat(failure).isInstanceOf(RedisConnectionException.class).hasCauseInstanceOf(TimeoutException.class);
        assertThat(RedisErrors.cannotConnect(failure, "h:1", true)).hasMessageContaining("within the command timeout");
    }
}
