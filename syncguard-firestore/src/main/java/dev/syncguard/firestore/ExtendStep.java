package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.Transaction;
import dev.syncguard.LockId;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.Ttl;
import java.util.Optional;

/** Moves the end of a lock that is strictly live. Changes no other field. */
record ExtendStep(FirestoreCollections collections, FirestoreClock clock, LockId lockId, Ttl ttl)
        implements Step<ExtendOutcome> {

    @Override
    public ApiFuture<Reading> read(Transaction transaction) {
        return Reading.query(transaction, collections.withLockId(lockId));
    }

    @Override
    public ExtendOutcome decide(Reading reading, Moment moment, Transaction transaction) {
        clock.checked(moment);
        long now = moment.receivedMs();
        OwnLocks own = OwnLocks.of(reading, lockId, moment.sentMs());
        Optional<LockDocument> live = own.live()
                .filter(document -> Liveness.isStrictlyLive(document.lock().expiresAtMs(), now));
        if (live.isEmpty()) {
            return own.all().isEmpty() ? NotExtended.NOT_FOUND : NotExtended.EXPIRED;
        }
        transaction.update(live.get().reference(), LockDocument.EXPIRES_AT, now + ttl.millis());
        return new Extended(now + ttl.millis(), ttl.millis());
    }
}
