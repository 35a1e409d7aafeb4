package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
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
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The queue of a lock on a full server, beside damaged keys, rewritten by another client, and full of places that expired. */
@DisplayName("hand-over with faults")
class RedisHandOverFaultsTest {

    private static RedisServer server;

    private final LockKey key = LockKey.of("k-" + UUID.randomUUID());
    private final String lock = "syncguard:" + key.value();
    private final RedisLockBackend holder = RedisLockBackend.connect(server.url());
    private final RedisLockBackend waiter = RedisLockBackend.connect(server.url());

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void close() {
        server.command("CONFIG", "SET", "maxmemory", "0");
        holder.close();
        waiter.close();
    }

    private static final class Silent implements Heir {
        @Override
        public void wake() {}

        @Override
        public void granted(Message message) {}
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

    private LockId queue() {
        LockId lockId = waiter.newLockId(key);
        Subscription subscription = waiter.handOver().orElseThrow().subscribe(key, lockId, new Silent());
        await().until(subscription::isActive);
        attempt(lockId, 60_000);
        return lockId;
    }

    private void attempt(LockId lockId, long patienceMs) {
        Place place = new Place(1, patienceMs, 1000);
        assertThat(waiter.acquire(new AcquireRequest(key, lockId, Ttl.DEFAULT, false, null, place), none()))
                .isInstanceOf(Refused.class);
    }

    private String stored() {
        return server.command("GET", lock);
    }

    private String holding() {
        return stored().replaceFirst("^\\{\"lockId\":\"([^\"]*)\".*", "$1");
    }

    @Test
    @DisplayName("a waiter leaves the queue also on a full server, where nothing else may be written")
    void leavesFullServer() {
        LockId held = acquire();
        LockId leaver = queue();
        LockId next = queue();
        server.command("CONFIG", "SET", "maxmemory", "1");

        assertThat(waiter.release(new ReleaseRequest(leaver, key), none())).isEqualTo(ReleaseOutcome.NOT_FOUND);

        assertThat(stored()).doesNotContain(leaver.value()).contains(held.value());
        assertThat(Long.parseLong(server.command("PTTL", lock))).isBetween(1L, Ttl.DEFAULT.millis());
        assertThat(release(held)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(holding()).isEqualTo(next.value());
    }

    @Test
    @DisplayName("a waiter leaves the queue of a lock that another client wrote with spaces")
    void leavesSpaces() {
        LockId held = acquire();
        LockId leaver = queue();
        LockId next = queue();
        String spaced = stored().replace("\":\"", "\": \"").replace(",\"", ", \"");
        server.command("SET", lock, spaced, "KEEPTTL");

        waiter.release(new ReleaseRequest(leaver, key), none());

        assertThat(stored()).doesNotContain(leaver.value()).contains(held.value(), next.value());
        assertThat(release(held)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(holding()).isEqualTo(next.value());
    }

    @Test
    @DisplayName("a release beside a fence counter that is something else releases, and grants nothing")
    void counterOfAnotherType() {
        LockId held = acquire();
        queue();
        String counter = "syncguard:fence:" + lock;
        server.command("DEL", counter);
        server.command("RPUSH", counter, "1");

        assertThat(release(held)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(stored()).isEmpty();
    }

    @Test
    @DisplayName("a waiter whose index entry is something else is passed over")
    void indexOfAnotherType() {
        LockId held = acquire();
        LockId damaged = queue();
        LockId next = queue();
        server.command("RPUSH", "syncguard:id:" + damaged.value(), "1");

        assertThat(release(held)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(holding()).isEqualTo(next.value());
    }

    @Test
    @DisplayName("a queue full of places that have expired lets a new waiter in")
    void expiredPlaces() {
        LockId held = acquire();
        for (int i = 0; i < 250; i++) {
            attempt(waiter.newLockId(key), 1);
        }

        LockId next = queue();
        await().until(() -> {
            attempt(next, 60_000);
            return stored().contains(next.value());
        });

        assertThat(release(held)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(holding()).isEqualTo(next.value());
    }
}
