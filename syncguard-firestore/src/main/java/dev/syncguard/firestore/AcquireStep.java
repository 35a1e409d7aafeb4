package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import dev.syncguard.FenceMode;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.StoredLock;
import java.util.Optional;

/**
 * Grants a key. Everything is checked before the first write (F2). Lock and counter are written together, on condition that
 * both are as they were read: of two clients that found the key free, one commits and the other reads again.
 *
 * @param idIsOurs whether the lock id cannot hold another key, so that no request is needed to look
 */
record AcquireStep(
        FirestoreCollections collections,
        FirestoreClock clock,
        FenceMode fenceMode,
        AcquireRequest request,
        boolean idIsOurs)
        implements Step<AcquireOutcome> {

    @Override
    public ApiFuture<Reading> read() {
        ApiFuture<Reading> documents = Reading.documents(lock(), counter());
        return idIsOurs ? documents : Reading.both(documents, Reading.query(collections.withLockId(request.lockId())));
    }

    @Override
    public AcquireOutcome decide(Reading reading, Moment moment, ConditionalWrites writes) {
        clock.checked(moment);
        Optional<StoredLock> stored =
                LockDocument.of(reading.documents().get(0), request.key()).map(LockDocument::lock);
        if (stored.isPresent()) {
            StoredLock lock = stored.get();
            if (isOwn(lock) && Liveness.isStrictlyLive(lock.expiresAtMs(), moment.receivedMs())) {
                return Granted.of(lock, moment.receivedMs());
            }
            if (Liveness.isLive(lock.expiresAtMs(), moment.sentMs())) {
                return new Refused(Liveness.grantableInMs(lock.expiresAtMs(), moment.sentMs()));
            }
        }
        refuseSecondKey(reading, moment);
        return grant(reading, moment, writes);
    }

    /** The floor of fences is the store's time: one clock for all clients. */
    private Granted grant(Reading reading, Moment moment, ConditionalWrites writes) {
        DocumentSnapshot counter = reading.documents().get(1);
        long now = moment.receivedMs();
        StoredLock lock = new StoredLock(
                request.key().value(),
                request.lockId(),
                now,
                now + request.ttl().millis(),
                FenceLimits.next(fenceMode, CounterDocument.read(counter), moment.storeMs()),
                request.label());
        DocumentSnapshot before = reading.documents().get(0);
        writes.put(before, LockDocument.fields(lock, before));
        CounterDocument.write(writes, counter, lock.fence());
        return Granted.of(lock, now);
    }

    private void refuseSecondKey(Reading reading, Moment moment) {
        boolean holdsAnother = reading.found().stream()
                .filter(found -> !found.getReference().equals(lock()))
                .flatMap(found -> LockDocument.of(found).stream())
                .anyMatch(other ->
                        isOwn(other.lock()) && Liveness.isLive(other.lock().expiresAtMs(), moment.sentMs()));
        if (holdsAnother) {
            throw new LockException(Code.INTERNAL, "this lock id holds another key");
        }
    }

    private boolean isOwn(StoredLock lock) {
        return lock.lockId().equals(request.lockId());
    }

    private DocumentReference lock() {
        return collections.lock(request.key());
    }

    private DocumentReference counter() {
        return collections.counter(request.key());
    }
}
