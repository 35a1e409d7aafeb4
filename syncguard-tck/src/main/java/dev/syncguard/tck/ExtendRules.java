package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockId;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.Ttl;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** EXT: making a lock last. */
abstract class ExtendRules extends Rules {

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

    @Test
    @Rule("EXT-2")
    @DisplayName("a lock in its grey zone is not extended")
    void notInGreyZone() {
        InGreyZone<ExtendOutcome> extension = inGreyZone((fresh, own) -> backend.extend(own, HOUR, NONE));

        assertThat(extension.outcome()).isInstanceOf(NotExtended.class);
        assertStillEnded(extension.ended());
    }

    @Test
    @Rule("EXT-2")
    @DisplayName("a lock that ended long ago is not brought back")
    void notAfterEnd() {
        Granted granted = grant(key);
        StoredLock before = stored(key);
        expire(key);

        assertThat(backend.extend(granted.lockId(), HOUR, NONE)).isInstanceOf(NotExtended.class);

        assertStillEnded(before);
    }

    private void assertStillEnded(StoredLock before) {
        store.stored(before.key())
                .ifPresent(now -> assertThat(now.expiresAtMs()).isLessThanOrEqualTo(before.expiresAtMs()));
    }

    @Test
    @Rule("EXT-3")
    @DisplayName("a stale owner cannot extend the next owner's lock")
    void staleOwner() {
        LockId stale = grant(key).lockId();
        expire(key);
        grant(key);
        StoredLock current = stored(key);

        assertThat(backend.extend(stale, HOUR, NONE)).isInstanceOf(NotExtended.class);

        assertThat(stored(key)).isEqualTo(current);
    }

    @Test
    @Rule("EXT-4")
    @DisplayName("an extension changes nothing but the end")
    void changesEndOnly() {
        LockId lockId = grant(key).lockId();
        StoredLock before = stored(key);
        long counter = counter(key);
        kit.passTime(Duration.ofMillis(5));

        backend.extend(lockId, HOUR, NONE);

        StoredLock after = stored(key);
        assertThat(after.key()).isEqualTo(before.key());
        assertThat(after.lockId()).isEqualTo(before.lockId());
        assertThat(after.fence()).isEqualTo(before.fence());
        assertThat(after.acquiredAtMs()).isEqualTo(before.acquiredAtMs());
        assertThat(counter(key)).isEqualTo(counter);
    }

    @Test
    @Rule("EXT-5")
    @DisplayName("a lock id that holds nothing, or was released, is not found and makes no lock")
    void unknown() {
        LockId released = grant(key).lockId();
        backend.release(released, NONE);

        assertThat(backend.extend(newId(key), MINUTE, NONE)).isEqualTo(NotExtended.NOT_FOUND);
        assertThat(backend.extend(released, MINUTE, NONE)).isEqualTo(NotExtended.NOT_FOUND);

        assertThat(store.stored(key.value())).isEmpty();
    }
}
