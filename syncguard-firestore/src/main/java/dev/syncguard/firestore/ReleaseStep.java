package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.Transaction;
import dev.syncguard.LockId;
import dev.syncguard.spi.ReleaseOutcome;

/** Deletes the lock of a lock id, and with it what has ended under the same id. Counters are out of its reach. */
record ReleaseStep(FirestoreCollections collections, FirestoreClock clock, LockId lockId)
        implements Step<ReleaseOutcome> {

    @Override
    public ApiFuture<Reading> read(Transaction transaction) {
        return Reading.query(transaction, collections.withLockId(lockId));
    }

    @Override
    public ReleaseOutcome decide(Reading reading, Moment moment, Transaction transaction) {
        OwnLocks own = OwnLocks.of(reading, lockId, now(moment));
        own.all().forEach(document -> transaction.delete(document.reference()));
        if (own.live().isPresent()) {
            return ReleaseOutcome.RELEASED;
        }
        return own.all().isEmpty() ? ReleaseOutcome.NOT_FOUND : ReleaseOutcome.EXPIRED;
    }

    /** A clock that is off must not keep a lock from being given back: the store's time decides then. */
    private long now(Moment moment) {
        return clock.isOff(moment) ? moment.storeMs() : moment.sentMs();
    }
}
