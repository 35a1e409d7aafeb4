package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Lease;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import dev.syncguard.testbed.RedisCluster;
import dev.syncguard.testbed.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How waiters learn of a release, and what that costs. */
@DisplayName("release signals")
class RedisReleaseSignalsTest {

    private static final LockOptions PATIENT =
            LockOptions.defaults().ttl(Duration.ofMinutes(5)).waitAtMost(Duration.ofMinutes(1));

    private final RedisServer server = RedisServer.start();
    private final LockKey key = LockKey.of("k-" + UUID.randomUUID());
    private final String lock = "syncguard:" + key.value();
    private final RedisLockBackend holder = RedisLockBackend.connect(server.url());
    private final RedisLockBackend waiter = RedisLockBackend.connect(server.url());

    @AfterEach
    void close() {
        holder.close();
        waiter.close();
        server.close();
    }

    @Test
    @DisplayName("a backend that is closed while it opens its connection for signals leaves no thread")
    void closedWhileOpening() {
        for (int i = 0; i < 6; i++) {
            RedisLockBackend backend = RedisLockBackend.connect(server.url());
            subscribe(backend, new AtomicInteger());
            backend.close();
        }

        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("syncguard-redis-subscribe")));
    }

    private Granted acquire(RedisLockBackend backend) {
        return (Granted) attempt(backend, false);
    }

    private Object attempt(RedisLockBackend backend, boolean willWait) {
        return backend.acquire(new AcquireRequest(key, backend.newLockId(key), Ttl.DEFAULT, willWait), none());
    }

    private Subscription subscribe(RedisLockBackend backend, AtomicInteger wakeUps) {
        Subscription subscription = backend.releaseSignals().orElseThrow().subscribe(key, wakeUps::incrementAndGet);
        await().until(subscription::isActive);
        return subscription;
    }

    private int calls(String command) {
        return server.command("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":calls="))
                .map(line -> Integer.parseInt(line.replaceFirst(".*?calls=(\\d+).*", "$1")))
                .findFirst()
                .orElse(0);
    }

    @Test
    @DisplayName("nothing is published when nobody waits")
    void silentWithoutWaiters() {
        AtomicInteger wakeUps = new AtomicInteger();
        subscribe(waiter, wakeUps);
        Granted granted = acquire(holder);
        assertThat(attempt(waiter, false)).isInstanceOf(Refused.class);
        holder.release(granted.lockId(), none());

        assertThat(calls("publish")).isZero();
        assertThat(server.command("EXISTS", lock)).isEqualTo("0");
    }

    @Test
    @DisplayName("the mark of a waiter survives an extension, keeps the ttl and is left once")
    void mark() {
        AtomicInteger wakeUps = new AtomicInteger();
        subscribe(waiter, wakeUps);
        Granted granted = acquire(holder);
        attempt(waiter, true);
        attempt(waiter, true);
        String marked = server.command("GET", lock);
        assertThat(marked).containsPattern("\"waiters\":\"[A-Za-z0-9_-]{8}\"");
        assertThat(Long.parseLong(server.command("PTTL", lock))).isBetween(1L, 30_000L);

        holder.extend(granted.lockId(), new Ttl(60_000), none());
        assertThat(server.command("GET", lock)).containsPattern("\"waiters\":\"[A-Za-z0-9_-]{8}\"");
        int before = wakeUps.get();
        holder.release(granted.lockId(), none());

        await().until(() -> wakeUps.get() > before);
        assertThat(calls("publish")).isEqualTo(1);
    }

    @Test
    @DisplayName("the oldest waiter is woken first, the others a little later")
    void oldestFirst() {
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        try (RedisLockBackend third = RedisLockBackend.connect(server.url())) {
            subscribe(waiter, first);
            subscribe(third, second);
            Granted granted = acquire(holder);
            attempt(waiter, true);
            attempt(third, true);
            int wokenOne = first.get();
            int wokenTwo = second.get();
            holder.release(granted.lockId(), none());

            await().until(() -> first.get() > wokenOne);
            await().until(() -> second.get() > wokenTwo);
            Granted next = (Granted) attempt(waiter, true);
            assertThat(server.command("GET", lock)).containsPattern("\"waiters\":\"[A-Za-z0-9_-]{8}\"");
            waiter.release(next.lockId(), none());
        }
    }

    @Test
    @DisplayName("what a stranger publishes wakes, and never gets into the store")
    void strangers() {
        AtomicInteger wakeUps = new AtomicInteger();
        subscribe(waiter, wakeUps);
        int before = wakeUps.get();
        String token = waiterToken();
        server.command("PUBLISH", lock, token + " \",\"lockId\":\"x");
        await().until(() -> wakeUps.get() > before);

        Granted granted = (Granted) attempt(waiter, true);
        assertThat(server.command("GET", lock)).doesNotContain("waiters");
        assertThat(waiter.release(granted.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    private String waiterToken() {
        Granted granted = acquire(holder);
        attempt(waiter, true);
        String token = server.command("GET", lock).replaceFirst(".*\"waiters\":\"([^\"]*)\".*", "$1");
        server.command("DEL", lock, "syncguard:id:" + granted.lockId().value());
        return token;
    }

    @Test
    @DisplayName("a subscription wakes again after its connection was lost")
    void reconnects() {
        AtomicInteger wakeUps = new AtomicInteger();
        try (Subscription subscription = subscribe(waiter, wakeUps)) {
            int before = wakeUps.get();
            server.command("CLIENT", "KILL", "TYPE", "pubsub");

            await().until(() -> wakeUps.get() > before && subscription.isActive());
        }
    }

    @Test
    @DisplayName("a channel that nobody waits for any more is dropped after a while, not at once")
    void lingers() {
        AtomicInteger wakeUps = new AtomicInteger();
        subscribe(waiter, wakeUps).close();
        assertThat(server.command("PUBSUB", "CHANNELS")).isEqualTo(lock);

        await().atMost(Duration.ofSeconds(15))
                .until(() -> server.command("PUBSUB", "CHANNELS").isEmpty());
    }

    @Test
    @DisplayName("a waiting acquire gets the lock long before its next poll")
    void handsOver() throws Exception {
        try (SyncGuard one = SyncGuard.of(RedisLockBackend.connect(server.url()));
                SyncGuard two = SyncGuard.of(RedisLockBackend.connect(server.url()))) {
            for (int i = 0; i < 5; i++) {
                Lease held = one.acquire(key.value(), PATIENT);
                CompletableFuture<Lease> waiting =
                        CompletableFuture.supplyAsync(() -> two.acquire(key.value(), PATIENT));
                await().until(() -> server.command("GET", lock).contains("queue"));
                held.close();
                waiting.get().close();
            }
        }
        assertThat(calls("publish")).isEqualTo(5);
    }

    @Test
    @DisplayName("a release by a client that does not publish is found by polling")
    void silentRelease() throws Exception {
        Granted granted = acquire(holder);
        try (SyncGuard guard = SyncGuard.of(RedisLockBackend.connect(server.url()))) {
            CompletableFuture<Lease> waiting = CompletableFuture.supplyAsync(() -> guard.acquire(key.value(), PATIENT));
            await().until(() -> server.command("GET", lock).contains("queue"));
            server.command("DEL", lock, "syncguard:id:" + granted.lockId().value());

            waiting.get().close();
        }
    }

    @Test
    @DisplayName("many processes on one key: everybody gets it, one at a time")
    void manyProcesses() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<SyncGuard> guards = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<Future<?>> runs = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                SyncGuard guard = SyncGuard.of(RedisLockBackend.connect(server.url()));
                guards.add(guard);
                runs.add(threads.submit(() -> {
                    for (int n = 0; n < 20; n++) {
                        guard.run(key.value(), PATIENT, lease -> {
                            assertThat(inside.incrementAndGet()).isEqualTo(1);
                            inside.decrementAndGet();
                        });
                    }
                    return null;
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        } finally {
            threads.shutdown();
            guards.forEach(SyncGuard::close);
        }
        assertThat(server.command("GET", "syncguard:fence:" + lock)).isEqualTo("120");
    }

    @Test
    @DisplayName(
            "on a cluster the release is published once, in its shard from 7.0 on, and a lost node's channels come back")
    void cluster() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisLockBackend one = RedisLockBackend.connect(cluster.url());
                RedisLockBackend two = RedisLockBackend.connect(cluster.url())) {
            AtomicInteger wakeUps = new AtomicInteger();
            try (Subscription subscription = subscribe(two, wakeUps)) {
                Granted granted = acquire(one);
                attempt(two, true);
                int before = wakeUps.get();
                one.release(granted.lockId(), none());
                await().until(() -> wakeUps.get() > before);

                int afterRelease = wakeUps.get();
                cluster.nodes().forEach(node -> node.command("CLIENT", "KILL", "TYPE", "pubsub"));
                await().until(() -> wakeUps.get() > afterRelease && subscription.isActive());
            }
            assertThat(cluster.nodes().stream()
                            .filter(node -> node.command("INFO", "commandstats").contains(published(node)))
                            .count())
                    .isEqualTo(1);
        }
    }

    private static String published(RedisServer node) {
        boolean old = node.command("INFO", "server").contains("redis_version:6.");
        return old ? "cmdstat_publish:calls=1" : "cmdstat_spublish:calls=1";
    }
}
