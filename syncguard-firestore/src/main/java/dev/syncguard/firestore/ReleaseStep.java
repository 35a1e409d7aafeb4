package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.spi.ReleaseOutcome;

/** Deletes the lock of a lock id, and with it what has expired under the same id. Counters are out of its reach. */
record ReleaseStep(FirestoreCollections collections, FirestoreClock clock, LockId lockId)
        implements Step<ReleaseOutcome> {

    @Override
    public ApiFuture<Reading> read() {
        return Reading.query(collections.withLockId(lockId));
    }

    @Override
    public ReleaseOutcome decide(Reading reading, Moment moment, ConditionalWrites writes) {
        OwnLocks own = OwnLocks.of(reading, lockId, now(moment));
        if (own.all().isEmpty()) {
            return nothingFound(writes);
        }
        own.all().forEach(document -> writes.delete(document.snapshot()));
        return own.live().isPresent() ? ReleaseOutcome.RELEASED : ReleaseOutcome.EXPIRED;
    }

    /** NOT_FOUND after a conflict could be this release's own success, and would then be reported as a lost lease. */
    private static ReleaseOutcome nothingFound(ConditionalWrites writes) {
        if (writes.isAfterConflict()) {
            throw new LockException(
                    Code.SERVICE_UNAVAILABLE,
                    "the lock is gone, but whether this release deleted it is unknown",
                    null,
                    true);
        }
        return ReleaseOutcome.NOT_FOUND;
    }

    /** A clock that is off must not keep a lock from being released: the store's time decides then. */
    private long now(Moment moment) {
        return clock.isOff(moment) ? moment.storeMs() : moment.sentMs();
    }
}
