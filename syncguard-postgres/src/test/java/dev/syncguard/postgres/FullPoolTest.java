package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.NONE;
import static dev.syncguard.postgres.Locks.grant;
import static dev.syncguard.postgres.Locks.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.testbed.PostgresServer;
import dev.syncguard.testbed.TcpProxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool with its default limits whose connections are all in constant use: callers ask it themselves. */
@TestInstance(Lifecycle.PER_CLASS)
class FullPoolTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** What a busy machine may add to an acquire and a release. The pool's test of one connection takes longer. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final int CONNECTIONS = 2;

    private final int port =
            URI.create(PostgresServer.sharedUrl().substring("jdbc:".length())).getPort();
    private final TestDatabase database = TestDatabase.create();
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final Set<Thread> askedThePool = ConcurrentHashMap.newKeySet();

    private TcpProxy proxy;
    private HikariDataSource pool;
    private LockBackend backend;

    @BeforeAll
    void open() {
        proxy = TcpProxy.to(port);
        pool = TestDatabase.pool(
                PostgresServer.sharedUrl().replace(":" + port, ":" + proxy.port()), CONNECTIONS, config -> {
                    config.setConnectionTimeout(30_000);
                    config.setValidationTimeout(20_000);
                    config.setMetricsTrackerFactory((name, stats) -> new IMetricsTracker() {
                        @Override
                        public void recordConnectionAcquiredNanos(long elapsed) {
                            askedThePool.add(Thread.currentThread());
                        }
                    });
                });
        backend = PostgresLockBackend.builder(pool)
                .names(database.names)
                .pollOnly()
                .commandTimeout(TIMEOUT)
                .build();
    }

    @AfterAll
    void close() {
        callers.shutdownNow();
        backend.close();
        pool.close();
        proxy.close();
        database.close();
    }

    /** Uses locks until something fails. */
    private LockException untilFailure(AtomicBoolean direct) {
        LockKey key = newKey();
        while (true) {
            long start = System.nanoTime();
            try {
                backend.release(grant(backend, key).lockId(), NONE);
            } catch (LockException e) {
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT);
                return e;
            }
            if (askedThePool.contains(Thread.currentThread())) {
                direct.set(true);
            }
        }
    }

    @ParameterizedTest(name = "{0} threads")
    @ValueSource(ints = {CONNECTIONS, 8})
    @DisplayName("callers ask the pool themselves, and are not kept when the network goes silent under them")
    void silentNetwork(int threads) {
        askedThePool.clear();
        List<AtomicBoolean> direct = new ArrayList<>();
        List<CompletableFuture<LockException>> failures = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            AtomicBoolean directly = new AtomicBoolean();
            direct.add(directly);
            failures.add(CompletableFuture.supplyAsync(() -> untilFailure(directly), callers));
        }
        await().until(() -> direct.stream().allMatch(AtomicBoolean::get));
        proxy.dropReplies(true);

        for (CompletableFuture<LockException> failure : failures) {
            assertThat(failure.join().code()).isIn(Code.NETWORK_TIMEOUT, Code.RATE_LIMITED, Code.SERVICE_UNAVAILABLE);
        }

        proxy.dropReplies(false);
        await().ignoreExceptions().until(() -> grant(backend, newKey()) != null);
        await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0
                && pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 0);
    }
}
