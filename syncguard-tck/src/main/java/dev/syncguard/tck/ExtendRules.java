package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.StoredLock;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** EXT: making a lock last. */
abstract class ExtendRules extends Rules {

    private static final Ttl SECOND = new Ttl(1000);

    ExtendRules(LockBackendTck kit, Form form) {
        super(kit, form);
    }

    @ParameterizedTest(name = "from one minute to {0} ms")
    @ValueSource(longs = {5_000, 3_600_000})
    @Rule("EXT-1")
    @DisplayName("an extension replaces the time that is left, be it longer or shorter")
    void replacesEnd(long ttlMs) {
        LockId lockId = grant(key).lockId();
        long earliest = store.nowMs();

        ExtendOutcome outcome = backend.extend(lockId, new Ttl(ttlMs), NONE);

        assertThat(outcome).isInstanceOfSatisfying(Extended.class, extended -> {
            assertThat(extended.expiresAtMs()).isBetween(earliest + ttlMs, store.nowMs() + ttlMs);
            assertThat(extended.remainingMs()).isBetween(ttlMs - (store.nowMs() - earliest), ttlMs);
            assertThat(stored(key).expiresAtMs()).isEqualTo(extended.expiresAtMs());
        });
    }

    @ParameterizedTest
    @EnumSource
    @Rule("EXT-2")
    @DisplayName("a lock in its grey zone is not extended")
    void notInGreyZone(Mode mode) {
        InGreyZone<ExtendOutcome> extension = inGreyZone((fresh, own) -> extend(fresh, own, HOUR, mode));

        assertThat(extension.outcome()).isInstanceOf(NotExtended.class);
        assertStillEnded(extension.ended());
    }

    @ParameterizedTest
    @EnumSource
    @Rule("EXT-2")
    @DisplayName("a lock that ended long ago is not brought back")
    void notAfterEnd(Mode mode) {
        Granted granted = grant(key);
        StoredLock before = stored(key);
        expire(key);

        assertThat(extend(key, granted.lockId(), HOUR, mode)).isInstanceOf(NotExtended.class);

        assertStillEnded(before);
    }

    private void assertStillEnded(StoredLock before) {
        store.stored(before.key())
                .ifPresent(now -> assertThat(now.expiresAtMs()).isLessThanOrEqualTo(before.expiresAtMs()));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("EXT-3")
    @DisplayName("a stale owner cannot extend the next owner's lock")
    void staleOwner(Mode mode) {
        LockId stale = grant(key).lockId();
        expire(key);
        grant(key);
        StoredLock current = stored(key);

        assertThat(extend(key, stale, HOUR, mode)).isInstanceOf(NotExtended.class);

        assertThat(stored(key)).isEqualTo(current);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("EXT-4")
    @DisplayName("an extension changes nothing but the end")
    void changesEndOnly(Mode mode) {
        LockId lockId = grant(key).lockId();
        StoredLock before = stored(key);
        long counter = counter(key);
        kit.passTime(Duration.ofMillis(5));

        extend(key, lockId, HOUR, mode);

        StoredLock after = stored(key);
        assertThat(after.key()).isEqualTo(before.key());
        assertThat(after.lockId()).isEqualTo(before.lockId());
        assertThat(after.fence()).isEqualTo(before.fence());
        assertThat(after.acquiredAtMs()).isEqualTo(before.acquiredAtMs());
        assertThat(counter(key)).isEqualTo(counter);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("EXT-5")
    @DisplayName("a lock id that holds nothing, or was released, is not found and makes no lock")
    void unknown(Mode mode) {
        LockId released = grant(key).lockId();
        backend.release(released, NONE);

        assertThat(extend(key, newId(key), MINUTE, mode)).isEqualTo(NotExtended.NOT_FOUND);
        assertThat(extend(key, released, MINUTE, mode)).isEqualTo(NotExtended.NOT_FOUND);

        assertThat(store.stored(key.value())).isEmpty();
    }

    @Test
    @Rule("EXT-7")
    @DisplayName("an extension that must not shorten keeps a later expiry, however often it is repeated")
    void keepsLaterExpiry() {
        LockId lockId = grant(key, newId(key), HOUR).lockId();
        StoredLock before = stored(key);

        assertThat(extend(key, lockId, MINUTE, Mode.AT_LEAST)).isInstanceOf(Extended.class);
        assertThat(extend(key, lockId, new Ttl(1), Mode.AT_LEAST)).isInstanceOf(Extended.class);

        assertThat(stored(key)).isEqualTo(before);
    }

    @Test
    @Rule("EXT-7")
    @DisplayName("an extension that must not shorten makes a lock last longer")
    void movesEarlierExpiry() {
        LockId lockId = grant(key).lockId();
        long earliest = store.nowMs();

        assertThat(extend(key, lockId, HOUR, Mode.AT_LEAST)).isInstanceOf(Extended.class);

        assertThat(stored(key).expiresAtMs()).isBetween(earliest + HOUR.millis(), store.nowMs() + HOUR.millis());
    }

    @Test
    @Rule("EXT-7")
    @DisplayName("a late renewal does not take back what a later one added")
    void lateRenewal() {
        LockId lockId = grant(key).lockId();
        extend(key, lockId, HOUR, Mode.AT_LEAST);
        long expiresAtMs = stored(key).expiresAtMs();

        extend(key, lockId, MINUTE, Mode.AT_LEAST);

        assertThat(stored(key).expiresAtMs()).isEqualTo(expiresAtMs);
    }

    @ParameterizedTest(name = "{0}, from one minute to {1} ms")
    @CsvSource({"REPLACE, 5000", "REPLACE, 3600000", "AT_LEAST, 5000", "AT_LEAST, 3600000"})
    @Rule("EXT-8")
    @DisplayName("an extension returns the stored expiry and the time that remains until it")
    void returnsWhatIsStored(Mode mode, long ttlMs) {
        LockId lockId = grant(key).lockId();
        long earliest = store.nowMs();

        ExtendOutcome outcome = extend(key, lockId, new Ttl(ttlMs), mode);

        long latest = store.nowMs();
        long expiresAtMs = stored(key).expiresAtMs();
        assertThat(outcome).isInstanceOfSatisfying(Extended.class, extended -> {
            assertThat(extended.expiresAtMs()).isEqualTo(expiresAtMs);
            assertThat(extended.remainingMs()).isBetween(expiresAtMs - latest, expiresAtMs - earliest);
        });
    }

    @Test
    @Rule("EXT-9")
    @DisplayName("a lock that was shortened keeps others out until its new end, and no longer")
    void shortenedLockEnds() {
        LockId lockId = grant(key, newId(key), HOUR).lockId();
        assertThat(extend(key, lockId, SECOND, Mode.REPLACE)).isInstanceOf(Extended.class);

        AcquireOutcome early = contend(key);
        if (store.nowMs() < stored(key).expiresAtMs()) {
            assertThat(early)
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.grantableInMs())
                                    .isLessThanOrEqualTo(SECOND.millis() + Liveness.TIME_TOLERANCE_MS));
        }
        kit.passTime(Duration.ofMillis(SECOND.millis() + Liveness.TIME_TOLERANCE_MS + 50));

        assertThat(contend(key)).isInstanceOf(Granted.class);
    }

    /** Extends like a caller with a bare lock id, or like the renewal of a lease, which knows the key. */
    private ExtendOutcome extend(LockKey of, LockId lockId, Ttl ttl, Mode mode) {
        return backend.extend(new ExtendRequest(lockId, mode == Mode.AT_LEAST ? of : null, ttl, mode), NONE);
    }
}
