package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockId;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.Ttl;
import dev.syncguard.testbed.RedisServer;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Side by side with another client of the same layout, which does what the specification's scripts do: its steps are
 * written here from the format, with the JSON library of the server.
 */
@DisplayName("another client of the same layout")
class RedisInteropTest {

    private static final String THEIR_ACQUIRE =
            "local t = redis.call('TIME') local now = t[1] * 1000 + math.floor(t[2] / 1000)"
                    + " local old = redis.call('GET', KEYS[1])"
                    + " if old and cjson.decode(old).expiresAtMs > now - 1000 then return 'locked' end"
                    + " local fence = string.format('%015d', redis.call('INCR', KEYS[3]))"
                    + " redis.call('SET', KEYS[1], cjson.encode({lockId = ARGV[1], expiresAtMs = now + ARGV[2],"
                    + " acquiredAtMs = now, key = ARGV[3], fence = fence}), 'PX', ARGV[2])"
                    + " redis.call('SET', KEYS[2], KEYS[1], 'PX', ARGV[2]) return fence";

    private static final String THEIR_RELEASE =
            "local key = redis.call('GET', KEYS[1]) if not key then return 'gone' end"
                    + " local lock = redis.call('GET', key) if not lock then return 'gone' end"
                    + " if cjson.decode(lock).lockId ~= ARGV[1] then return 'not yours' end"
                    + " redis.call('DEL', key, KEYS[1]) return 'released'";

    private static final String THEIR_EXTEND = "local key = redis.call('GET', KEYS[1])"
            + " local lock = cjson.decode(redis.call('GET', key)) if lock.lockId ~= ARGV[1] then return 'not yours' end"
            + " local t = redis.call('TIME') lock.expiresAtMs = t[1] * 1000 + math.floor(t[2] / 1000) + ARGV[2]"
            + " redis.call('SET', key, cjson.encode(lock), 'PX', ARGV[2])"
            + " redis.call('SET', KEYS[1], key, 'PX', ARGV[2]) return 'extended'";

    private static RedisServer server;

    private final RedisLockBackend ours = RedisLockBackend.connect(server.url());
    private final LockKey key = LockKey.of("käse/\"" + UUID.randomUUID());
    private final String lock = "syncguard:" + key.value();
    private final LockId theirs = LockIds.random();

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
        ours.close();
    }

    private String theyAcquire() {
        return server.command(
                "EVAL",
                THEIR_ACQUIRE,
                "3",
                lock,
                "syncguard:id:" + theirs.value(),
                "syncguard:fence:" + lock,
                theirs.value(),
                "30000",
                key.value());
    }

    private String theyRelease(LockId lockId) {
        return server.command("EVAL", THEIR_RELEASE, "1", "syncguard:id:" + lockId.value(), lockId.value());
    }

    private Object weAcquire(boolean willWait) {
        return ours.acquire(new AcquireRequest(key, ours.newLockId(key), Ttl.DEFAULT, willWait), none());
    }

    @Test
    @DisplayName("and we exclude each other, on one line of fences")
    void exclude() {
        assertThat(theyAcquire()).isEqualTo("000000000000001");
        assertThat(weAcquire(false)).isInstanceOf(Refused.class);
        assertThat(theyRelease(theirs)).isEqualTo("released");

        Granted granted = (Granted) weAcquire(false);
        assertThat(granted.fence().value()).isEqualTo(2);
        assertThat(theyAcquire()).isEqualTo("locked");
        assertThat(ours.release(granted.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(theyAcquire()).isEqualTo("000000000000003");
    }

    @Test
    @DisplayName("can release and extend our locks, and we theirs")
    void handOver() {
        theyAcquire();
        StoredLock found = ours.findById(theirs, none()).orElseThrow();
        assertThat(found.key()).isEqualTo(key.value());
        assertThat(ours.extend(theirs, Ttl.DEFAULT, none())).isInstanceOf(Extended.class);
        assertThat(ours.release(theirs, none())).isEqualTo(ReleaseOutcome.RELEASED);

        Granted granted = (Granted) weAcquire(false);
        String index = "syncguard:id:" + granted.lockId().value();
        assertThat(server.command(
                        "EVAL", THEIR_EXTEND, "1", index, granted.lockId().value(), "60000"))
                .isEqualTo("extended");
        assertThat(ours.findByKey(key, none()).orElseThrow().fence()).isEqualTo(granted.fence());
        assertThat(theyRelease(granted.lockId())).isEqualTo("released");
        assertThat(ours.isLocked(key, none())).isFalse();
    }

    @Test
    @DisplayName("keeps the mark of our waiters when it extends, and ignores it otherwise")
    void mark() {
        AtomicInteger wakeUps = new AtomicInteger();
        var subscription = ours.releaseSignals().orElseThrow().subscribe(key, wakeUps::incrementAndGet);
        await().until(subscription::isActive);
        theyAcquire();
        weAcquire(true);
        server.command("EVAL", THEIR_EXTEND, "1", "syncguard:id:" + theirs.value(), theirs.value(), "60000");

        assertThat(server.command("GET", lock)).contains("\"waiters\":");
        assertThat(theyRelease(theirs)).isEqualTo("released");
        assertThat(weAcquire(true)).isInstanceOf(Granted.class);
    }
}
