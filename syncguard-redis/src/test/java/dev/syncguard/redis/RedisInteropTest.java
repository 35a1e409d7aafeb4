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
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.testbed.RedisReferenceClient;
import dev.syncguard.testbed.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Side by side with a client that does what the scripts of the specification do. */
@DisplayName("another client of the same layout")
class RedisInteropTest {

    private static final int GRANTS = 150;

    private static RedisServer server;

    private final RedisReferenceClient they = new RedisReferenceClient(server, "syncguard");
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

    private Optional<String> theyAcquire() {
        return they.acquire(key.value(), theirs.value(), 30_000);
    }

    private Object weAcquire(boolean willWait) {
        return ours.acquire(new AcquireRequest(key, ours.newLockId(key), Ttl.DEFAULT, willWait), none());
    }

    @Test
    @DisplayName("and we exclude each other, on one line of fences")
    void exclude() {
        assertThat(theyAcquire()).contains("000000000000001");
        assertThat(weAcquire(false)).isInstanceOf(Refused.class);
        assertThat(ours.isLocked(key, none())).isTrue();
        assertThat(they.release(theirs.value())).isTrue();

        Granted granted = (Granted) weAcquire(false);
        assertThat(granted.fence().value()).isEqualTo(2);
        assertThat(they.isLocked(key.value())).isTrue();
        assertThat(theyAcquire()).isEmpty();
        assertThat(ours.release(granted.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(theyAcquire()).contains("000000000000003");
    }

    @Test
    @DisplayName("finds, extends and releases our locks by their lock id")
    void byOurId() {
        Granted granted = (Granted) weAcquire(false);
        String lockId = granted.lockId().value();

        assertThat(they.lookup(lockId)).contains(key.value() + "\n" + granted.fence());
        assertThat(they.extend(lockId, 60_000)).isTrue();
        StoredLock extended = ours.findByKey(key, none()).orElseThrow();
        assertThat(extended.fence()).isEqualTo(granted.fence());
        assertThat(extended.expiresAtMs()).isGreaterThan(granted.expiresAtMs());
        assertThat(they.release(lockId)).isTrue();
        assertThat(ours.isLocked(key, none())).isFalse();
        assertThat(they.lookup(lockId)).isEmpty();
    }

    @Test
    @DisplayName("has locks that we find, extend and release by their lock id")
    void byTheirId() {
        theyAcquire();

        assertThat(ours.findById(theirs, none()).orElseThrow().key()).isEqualTo(key.value());
        Extended extended = (Extended) ours.extend(theirs, new Ttl(60_000), none());
        assertThat(ours.findByKey(key, none()).orElseThrow().expiresAtMs()).isEqualTo(extended.expiresAtMs());
        assertThat(they.lookup(theirs.value())).contains(key.value() + "\n000000000000001");
        assertThat(ours.release(theirs, none())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(they.isLocked(key.value())).isFalse();
    }

    @Test
    @DisplayName("keeps the mark of our waiters when it extends, and ignores it otherwise")
    void mark() {
        AtomicInteger wakeUps = new AtomicInteger();
        var subscription = ours.releaseSignals().orElseThrow().subscribe(key, wakeUps::incrementAndGet);
        await().until(subscription::isActive);
        theyAcquire();
        weAcquire(true);
        assertThat(they.extend(theirs.value(), 60_000)).isTrue();

        assertThat(server.command("GET", lock)).contains("\"waiters\":");
        assertThat(they.release(theirs.value())).isTrue();
        assertThat(weAcquire(true)).isInstanceOf(Granted.class);
    }

    @Test
    @DisplayName("has fields of its own that we keep when we extend its lock and wait for it")
    void extraFields() {
        theyAcquire();
        String extra = "\"owner\":{\"tags\":[],\"n\":12345678901234567890}";
        server.command("SET", lock, server.command("GET", lock).replaceFirst("}$", "," + extra + "}"), "KEEPTTL");

        weAcquire(true);
        assertThat(ours.extend(theirs, Ttl.DEFAULT, none())).isInstanceOf(Extended.class);
        assertThat(server.command("GET", lock)).contains(extra);
    }

    @Test
    @DisplayName("races with ours: never two holders, and fences in one order")
    void race() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Long> fences = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> runs = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                runs.add(threads.submit(() -> theyRace(inside, fences)));
                runs.add(threads.submit(() -> weRace(inside, fences)));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        } finally {
            threads.shutdown();
        }
        assertThat(fences).hasSize(4 * GRANTS).isSorted().doesNotHaveDuplicates();
    }

    /** The list has no lock of its own: whoever is inside is alone. */
    private static void enter(AtomicInteger inside, List<Long> fences, long fence) {
        assertThat(inside.incrementAndGet()).isEqualTo(1);
        fences.add(fence);
        assertThat(inside.decrementAndGet()).isZero();
    }

    private void theyRace(AtomicInteger inside, List<Long> fences) {
        for (int granted = 0; granted < GRANTS; ) {
            String lockId = LockIds.random().value();
            Optional<String> fence = they.acquire(key.value(), lockId, 30_000);
            if (fence.isPresent()) {
                enter(inside, fences, Long.parseLong(fence.get()));
                assertThat(they.release(lockId)).isTrue();
                granted++;
            }
        }
    }

    private void weRace(AtomicInteger inside, List<Long> fences) {
        for (int granted = 0; granted < GRANTS; ) {
            if (weAcquire(false) instanceof Granted grant) {
                enter(inside, fences, grant.fence().value());
                assertThat(ours.release(grant.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
                granted++;
            }
        }
    }
}
