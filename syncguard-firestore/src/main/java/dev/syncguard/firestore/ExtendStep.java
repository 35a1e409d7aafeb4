package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.Liveness;
import java.util.Map;
import java.util.Optional;

/** Moves the end of a lock that is strictly live. Changes no other field. */
record ExtendStep(FirestoreCollections collections, FirestoreClock clock, ExtendRequest request)
        implements Step<ExtendOutcome> {

    @Override
    public ApiFuture<Reading> read() {
        return Reading.query(collections.withLockId(request.lockId()));
    }

    @Override
    public ExtendOutcome decide(Reading reading, Moment moment, ConditionalWrites writes) {
        clock.checked(moment);
        long now = moment.receivedMs();
        OwnLocks own = OwnLocks.of(reading, request.lockId(), moment.sentMs());
        Optional<LockDocument> live = own.live()
                .filter(document -> Liveness.isStrictlyLive(document.lock().expiresAtMs(), now));
        if (live.isEmpty()) {
            return own.all().isEmpty() ? NotExtended.NOT_FOUND : NotExtended.EXPIRED;
        }
        long expiresAtMs = request.expiresAtMs(live.get().lock().expiresAtMs(), now);
        writes.put(live.get().snapshot(), Map.of(LockDocument.EXPIRES_AT, expiresAtMs));
        return new Extended(expiresAtMs, expiresAtMs - now);
    }
}
