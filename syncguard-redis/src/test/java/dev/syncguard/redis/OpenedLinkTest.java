package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.syncguard.testbed.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
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

    private static final Duration TIMEOUT = Duration.ofMillis(100);

    private final RedisURI uri = RedisURI.builder()
            .withHost("127.0.0.1")
            .withPort(1)
            .withTimeout(TIMEOUT)
            .build();
    private final ClientResources resources = ClientResources.builder()
            .threadFactoryProvider(name -> name.matches(".*(nio|poll).*") ? NeverStarted::new : daemon())
            .build();
    private final SocketOptions sockets =
            SocketOptions.builder().connectTimeout(TIMEOUT).build();

    private static void assertNotWaitedFor(Callable<?> opening) {
        Throwable failure = catchThrowable(opening::call);
        assertThat(failure).isInstanceOf(RedisConnectionException.class).hasCauseInstanceOf(TimeoutException.class);
        assertThat(RedisErrors.cannotConnect(failure, "h:1", true)).hasMessageContaining("within the command timeout");
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @DisplayName("a connection is not waited for without end if the driver's threads did not start")
    void noThreads() {
        assertNotWaitedFor(() -> OpenedLink.to(RedisClient.create(resources, uri), uri, () -> {}));
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @DisplayName("nor is one of a given client")
    void noThreadsOfGivenClient() {
        RedisClient client = RedisClient.create(resources, uri);
        client.setOptions(ClientOptions.builder().socketOptions(sockets).build());
        assertNotWaitedFor(() -> OpenedLink.to(client, TIMEOUT));
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @DisplayName("nor is one to a cluster")
    void noThreadsOfCluster() {
        RedisClusterClient client = RedisClusterClient.create(resources, uri);
        client.setOptions(ClusterClientOptions.builder().socketOptions(sockets).build());
        assertThat(catchThrowable(() -> OpenedLink.to(client, TIMEOUT, null)))
                .isInstanceOf(RedisConnectionException.class);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @DisplayName("a driver that does not return is left alone, and the connection that it makes at last is closed")
    void closesWhatIsLate() throws Exception {
        CountDownLatch threads = new CountDownLatch(1);
        try (RedisServer server = RedisServer.start()) {
            RedisClient client = RedisClient.create(server.url());
            CompletableFuture<StatefulConnection<String, String>> made = new CompletableFuture<>();
            assertNotWaitedFor(() -> BoundedCall.connect(
                    () -> {
                        awaitUninterruptibly(threads);
                        StatefulConnection<String, String> connection = client.connect();
                        made.complete(connection);
                        return connection;
                    },
                    TIMEOUT));
            threads.countDown();
            StatefulConnection<String, String> late = made.get();
            await().until(() -> !late.isOpen());
            client.shutdown();
        }
    }

    @Test
    @DisplayName("a connection that was closed before its reason arrived is tried again, until there is a reason")
    void triesAgainWithoutReason() {
        AtomicInteger attempts = new AtomicInteger();
        RedisCommandExecutionException reason = new RedisCommandExecutionException("WRONGPASS");

        Throwable failure = catchThrowable(() -> BoundedCall.connect(
                () -> {
                    throw new RedisConnectionException(
                            "x",
                            attempts.incrementAndGet() < 3
                                    ? new RedisConnectionException("Connection closed prematurely")
                                    : reason);
                },
                Duration.ofMinutes(10)));

        assertThat(failure).hasCause(reason);
        assertThat(attempts).hasValue(3);
    }

    @Test
    @DisplayName("a connection that is always closed without a reason is given up")
    void givesUpWithoutReason() {
        RedisConnectionException closed = new RedisConnectionException("x", new ClosedChannelException());

        assertThat(catchThrowable(() -> BoundedCall.connect(
                        () -> {
                            throw closed;
                        },
                        Duration.ofMinutes(10))))
                .isSameAs(closed);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
