package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockId;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** REL: giving a lock back. */
abstract class ReleaseRules extends Rules {

    ReleaseRules(LockBackendTck kit, Form form) {
        super(kit, form);
    }

    @Test
    @Rule("REL-1")
    @DisplayName("a live lock is released and gone from the store")
    void releases() {
        LockId lockId = grant(key).lockId();

        assertThat(backend.release(lockId, NONE)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(store.stored(key.value())).isEmpty();
    }

    @Test
    @Rule("REL-2")
    @DisplayName("a stale owner cannot release the next owner's lock")
    void staleOwner() {
        LockId stale = grant(key).lockId();
        expire(key);
        Granted current = grant(key);

        assertThat(backend.release(stale, NONE)).isNotEqualTo(ReleaseOutcome.RELEASED);

        assertThat(stored(key).lockId()).isEqualTo(current.lockId());
    }

    @Test
    @Rule("REL-1")
    @DisplayName("a live lock is released by a holder that knows its key, and gone from the store")
    void releasesKnownKey() {
        LockId lockId = grant(key).lockId();

        assertThat(backend.release(new ReleaseRequest(lockId, key), NONE)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(store.stored(key.value())).isEmpty();
        assertThat(backend.findById(lockId, NONE)).isEmpty();
    }

    @Test
    @Rule("REL-2")
    @DisplayName("a stale owner that knows the key cannot release the next owner's lock")
    void staleOwnerKnowsKey() {
        LockId stale = grant(key).lockId();
        expire(key);
        Granted current = grant(key);

        assertThat(backend.release(new ReleaseRequest(stale, key), NONE)).isNotEqualTo(ReleaseOutcome.RELEASED);

        assertThat(stored(key).lockId()).isEqualTo(current.lockId());
    }

    @Test
    @Rule("REL-3")
    @DisplayName("a second release of the same grant has no effect and says so")
    void onlyOnce() {
        LockId lockId = grant(key).lockId();
        backend.release(lockId, NONE);

        assertThat(backend.release(lockId, NONE)).isNotEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @Rule("REL-4")
    @DisplayName("a release leaves the fence counter where it was")
    void keepsCounter() {
        LockId lockId = grant(key).lockId();
        long counter = counter(key);

        backend.release(lockId, NONE);

        assertThat(counter(key)).isPositive().isEqualTo(counter);
    }

    @Test
    @Rule("REL-5")
    @DisplayName("a lock id that holds nothing is not found")
    void unknown() {
        assertThat(backend.release(newId(key), NONE)).isEqualTo(ReleaseOutcome.NOT_FOUND);
    }

    @Test
    @Rule("REL-6")
    @DisplayName("a lock that ended longer ago than the tolerance is not released any more")
    void afterEnd() {
        LockId lockId = grant(key).lockId();
        expire(key);

        assertThat(backend.release(lockId, NONE)).isNotEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @Rule("REL-7")
    @DisplayName("a lock in its grey zone that the store still has is released")
    void inGreyZone() {
        InGreyZone<ReleaseOutcome> release = inGreyZone((fresh, own) -> backend.release(own, NONE));

        assertThat(release.outcome()).isEqualTo(ReleaseOutcome.RELEASED);
    }
}
