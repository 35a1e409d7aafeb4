package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.StoredLock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** What all groups of rules share: a backend, a look into its store, and a key that no other test uses. */
@Timeout(120)
abstract class Rules {

    static final AbortSignal NONE = AbortSignal.none();
    static final Ttl MINUTE = new Ttl(60_000);
    static final Ttl HOUR = new Ttl(3_600_000);

    private static final Duration INTO_GREY_ZONE = Duration.ofMillis(100);

    final LockBackendTck kit;
    private final Form form;

    LockBackend backend;
    StoreProbe store;
    final LockKey key = newKey();

    Rules(LockBackendTck kit, Form form) {
        this.kit = kit;
        this.form = form;
    }

    @BeforeEach
    void open() {
        backend = form.of(kit.backend());
        store = kit.store();
    }

    /** Returns a backend in the form that this group runs on. */
    LockBackend inForm(LockBackend other) {
        return form.of(other);
    }

    /** Returns a key that no other test uses. */
    static LockKey newKey() {
        return LockKey.of("tck:" + token());
    }

    /** Returns a text that no other test uses. */
    static String token() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    LockId newId(LockKey of) {
        return backend.newLockId(of);
    }

    AcquireOutcome acquire(LockKey of, LockId lockId, Ttl ttl) {
        return backend.acquire(new AcquireRequest(of, lockId, ttl, false), NONE);
    }

    /** Makes an attempt under a new lock id. */
    AcquireOutcome contend(LockKey of) {
        return acquire(of, newId(of), MINUTE);
    }

    Granted grant(LockKey of) {
        return grant(of, newId(of), MINUTE);
    }

    Granted grant(LockKey of, LockId lockId, Ttl ttl) {
        AcquireOutcome outcome = acquire(of, lockId, ttl);
        assertThat(outcome).as("an acquire of a free key").isInstanceOf(Granted.class);
        return (Granted) outcome;
    }

    StoredLock stored(LockKey of) {
        return store.stored(of.value()).orElseThrow(() -> new AssertionError("the store has no lock for the key"));
    }

    long counter(LockKey of) {
        return store.fenceCounter(of.value());
    }

    void expire(LockKey of) {
        store.expire(of.value());
    }

    /** What an operation gave on a lock that had ended, but less than the tolerance ago. */
    record InGreyZone<T>(LockKey key, StoredLock ended, T outcome) {}

    /** Tries an operation on a lock in its grey zone; again if this machine was too slow to stay inside. */
    <T> InGreyZone<T> inGreyZone(BiFunction<LockKey, LockId, T> operation) {
        for (int i = 0; i < 10; i++) {
            LockKey fresh = newKey();
            LockId lockId = grant(fresh).lockId();
            store.expireAgo(fresh.value(), INTO_GREY_ZONE);
            StoredLock ended = stored(fresh);
            T outcome = operation.apply(fresh, lockId);
            if (store.nowMs() < ended.expiresAtMs() + Liveness.TIME_TOLERANCE_MS) {
                return new InGreyZone<>(fresh, ended, outcome);
            }
        }
        return Assumptions.abort("this machine is too slow to look into the grey zone");
    }

    /** Waits for something that another thread does. */
    void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).as(what).isLessThan(kit.patience());
            LockBackendTck.pause(Duration.ofMillis(2));
        }
    }
}
