package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.FenceMode;
import dev.syncguard.Lease;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.HandOver.Heir;
import dev.syncguard.spi.HandOver.Message;
import dev.syncguard.spi.HandOver.Place;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import dev.syncguard.testbed.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the TCK cannot see of the hand-over: dead processes, other clients, what is stored, sent and published. */
@DisplayName("hand-over")
class RedisHandOverTest {

    private static final LockOptions SLOW_POLLS = LockOptions.defaults()
            .ttl(Duration.ofMinutes(5))
            .waitAtMost(Duration.ofMinutes(2))
            .retryDelay(Duration.ofMinutes(1))
            .maxRetryDelay(Duration.ofMinutes(1));
    private static final Duration SOON = Duration.ofSeconds(20);

    private final RedisServer server = RedisServer.start();
    private final LockKey key = LockKey.of("k-" + UUID.randomUUID());
    private final String lock = "syncguard:" + key.value();
    private final String counter = "syncguard:fence:" + lock;
    private final RedisLockBackend holder = RedisLockBackend.connect(server.url());
    private final RedisLockBackend waiter = RedisLockBackend.connect(server.url());

    @AfterEach
    void close() {
        holder.close();
        waiter.close();
        server.close();
    }

    /** A waiter whose messages are kept. */
    private static final class Heard implements Heir {
        private final Queue<Message> messages = new ConcurrentLinkedQueue<>();

        @Override
        public void wake() {}

        @Override
        public void granted(Message message) {
            messages.add(message);
        }
    }

    private LockId acquire() {
        LockId lockId = holder.newLockId(key);
        assertThat(holder.acquire(new AcquireRequest(key, lockId, Ttl.DEFAULT, false), none()))
                .isInstanceOf(Granted.class);
        return lockId;
    }

    private ReleaseOutcome release(LockId lockId) {
        return holder.release(new ReleaseRequest(lockId, key), none());
    }

    /** Queues on a backend. */
    private LockId queue(RedisLockBackend on, Heir heir) {
        LockId lockId = on.newLockId(key);
        Subscription subscription = on.handOver().orElseThrow().subscribe(key, lockId, heir);
        await().until(subscription::isActive);
        assertThat(attempt(on, lockId)).isInstanceOf(Refused.class);
        return lockId;
    }

    private Object attempt(RedisLockBackend on, LockId lockId) {
        return on.acquire(
                new AcquireRequest(key, lockId, Ttl.DEFAULT, false, null, new Place(1, 60_000, 1000)), none());
    }

    private String stored() {
        return server.command("GET", lock);
    }

    @Test
    @DisplayName("a process that died is passed over, and leaves nothing behind")
    void deadProcess() {
        LockId held = acquire();
        RedisLockBackend dead = RedisLockBackend.connect(server.url());
        queue(dead, new Heard());
        dead.close();
        await().until(() -> server.command("PUBSUB", "CHANNELS", "*handover*").isEmpty());
        Heard heard = new Heard();
        LockId next = queue(waiter, heard);

        assertThat(release(held)).isEqualTo(ReleaseOutcome.RELEASED);

        await().until(() -> !heard.messages.isEmpty());
        assertThat(stored()).contains(next.value());
        assertThat(release(next)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(server.command("KEYS", "*")).isEqualTo(counter);
    }

    @Test
    @DisplayName("if all who waited are gone, the lock is free")
    void nobodyLeft() {
        LockId held = acquire();
        RedisLockBackend dead = RedisLockBackend.connect(server.url());
        queue(dead, new Heard());
        dead.close();
        await().until(() -> server.command("PUBSUB", "CHANNELS", "*handover*").isEmpty());

        assertThat(release(held)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(server.command("KEYS", "*")).isEqualTo(counter);
        acquire();
    }

    @Test
    @DisplayName("a lock that nobody waits for is stored and released as before, by two commands")
    void uncontended() {
        LockId first = acquire();
        release(first);
        int before = calls("evalsha");
        LockId second = acquire();
        String uncontended = stored();
        release(second);

        assertThat(uncontended).doesNotContain("queue").doesNotContain("waiters");
        assertThat(calls("evalsha") - before).isEqualTo(2);
        assertThat(calls("publish")).isZero();
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
    @DisplayName("a release by lock id alone, which cannot grant, wakes the first waiter")
    void releasedById() {
        LockId held = acquire();
        try (SyncGuard guard = SyncGuard.of(RedisLockBackend.connect(server.url()))) {
            CompletableFuture<Lease> waiting =
                    CompletableFuture.supplyAsync(() -> guard.acquire(key.value(), SLOW_POLLS));
            await().until(() -> stored().contains("queue"));

            assertThat(holder.release(held, none())).isEqualTo(ReleaseOutcome.RELEASED);

            assertThat(waiting).succeedsWithin(SOON);
            waiting.join().close();
        }
    }

    @Test
    @DisplayName("a release by a client that knows no queue is found by polling")
    void foreignRelease() {
        LockId held = acquire();
        try (SyncGuard guard = SyncGuard.of(RedisLockBackend.connect(server.url()))) {
            LockOptions polls = SLOW_POLLS.retryDelay(Duration.ofMillis(50)).maxRetryDelay(Duration.ofMillis(50));
            CompletableFuture<Lease> waiting = CompletableFuture.supplyAsync(() -> guard.acquire(key.value(), polls));
            await().until(() -> stored().contains("queue"));

            server.command("DEL", lock, "syncguard:id:" + held.value());

            assertThat(waiting).succeedsWithin(SOON);
            waiting.join().close();
        }
    }

    @Test
    @DisplayName("a field called queue that is something else is kept, and nothing is handed over")
    void foreignField() {
        for (String value : List.of("[1]", "7", "\"a\\\"b\"", "{\"x\":\"y\"}", "\"some words\"")) {
            LockId held = acquire();
            String bare = stored();
            String text = bare.substring(0, bare.length() - 1) + ",\"queue\":" + value + "}";
            server.command("SET", lock, text);

            assertThat(attempt(waiter, waiter.newLockId(key))).isInstanceOf(Refused.class);
            if (!value.equals("\"some words\"")) {
                assertThat(stored()).isEqualTo(text);
            }

            assertThat(release(held)).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(server.command("KEYS", "*")).isEqualTo(counter);
        }
    }

    @Test
    @DisplayName("a queue is bounded: who does not fit in polls")
    void bounded() {
        LockId held = acquire();
        Heard heard = new Heard();
        LockId first = queue(waiter, heard);
        for (int i = 0; i < 400; i++) {
            assertThat(attempt(waiter, waiter.newLockId(key))).isInstanceOf(Refused.class);
        }

        assertThat(stored().length()).isLessThan(20_000);
        assertThat(holder.isLocked(key, none())).isTrue();
        assertThat(release(held)).isEqualTo(ReleaseOutcome.RELEASED);
        await().until(() -> !heard.messages.isEmpty());
        assertThat(stored()).contains(first.value());
    }

    @Test
    @DisplayName("with a damaged counter a release releases and grants nothing")
    void damagedCounter() {
        LockId held = acquire();
        queue(waiter, new Heard());
        server.command("SET", counter, "abc");

        assertThat(release(held)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(server.command("KEYS", "*")).isEqualTo(counter);
        assertThat(server.command("GET", counter)).isEqualTo("abc");
    }

    @Test
    @DisplayName("the fence of what is handed over follows the mode of its waiter")
    void timeFloored() {
        LockId held = acquire();
        try (RedisLockBackend floored = RedisLockBackend.builder(server.url())
                .fenceMode(FenceMode.TIME_FLOORED)
                .build()) {
            Heard heard = new Heard();
            queue(floored, heard);

            release(held);

            await().until(() -> !heard.messages.isEmpty());
            assertThat(heard.messages.element().fence().value()).isGreaterThan(1_000_000_000_000L);
        }
    }

    @Test
    @DisplayName("where names are hashed, or the only connection was given, waiters are woken or poll instead")
    void notPossible() {
        RedisClient client = Redis.client(server.url());
        try (RedisLockBackend hashed = RedisLockBackend.builder(server.url())
                        .keyPrefix("p".repeat(900))
                        .build();
                StatefulRedisConnection<String, String> connection = client.connect();
                RedisLockBackend given = RedisLockBackend.builder(connection).build()) {
            assertThat(hashed.handOver()).isEmpty();
            assertThat(hashed.releaseSignals()).isPresent();
            assertThat(given.handOver()).isEmpty();
        } finally {
            client.shutdown();
        }
    }

    @Test
    @DisplayName("what is published does not show the lock id, which is a secret of its holder")
    void secret() {
        Queue<String> published = new ConcurrentLinkedQueue<>();
        RedisClient client = Redis.client(server.url());
        try (StatefulRedisPubSubConnection<String, String> listener = client.connectPubSub()) {
            listener.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String pattern, String channel, String message) {
                    published.add(channel + " " + message);
                }
            });
            listener.sync().psubscribe("*");
            LockId held = acquire();
            LockId next = queue(waiter, new Heard());

            release(held);

            await().until(() -> !published.isEmpty());
            assertThat(published).singleElement().asString().doesNotContain(next.value());
        } finally {
            client.shutdown();
        }
    }
}
