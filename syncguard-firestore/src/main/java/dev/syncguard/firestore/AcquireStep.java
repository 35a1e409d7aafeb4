package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Transaction;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.FenceMode;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.StoredLock;
import java.util.Optional;

/**
 * Grants a key. Everything is checked before the first write (F2); lock and counter are written together.
 *
 * @param idIsOurs whether the lock id cannot hold another key, so that nobody needs to look
 */
record AcquireStep(
        FirestoreCollections collections,
        FirestoreClock clock,
        FenceMode fenceMode,
        AcquireRequest request,
        boolean idIsOurs)
        implements Step<AcquireOutcome> {

    @Override
    public ApiFuture<Reading> read(Transaction transaction) {
        ApiFuture<Reading> documents = Reading.documents(transaction, lock(), counter());
        return idIsOurs
                ? documents
                : Reading.both(documents, Reading.query(transaction, collections.withLockId(request.lockId())));
    }

    @Override
    public AcquireOutcome decide(Reading reading, Moment moment, Transaction transaction) {
        clock.checked(moment);
        Optional<StoredLock> stored =
                LockDocument.of(reading.documents().get(0)).map(LockDocument::lock);
        if (stored.isPresent()) {
            StoredLock lock = stored.get();
            if (isOwn(lock) && Liveness.isStrictlyLive(lock.expiresAtMs(), moment.receivedMs())) {
                return granted(lock, lock.expiresAtMs() - moment.receivedMs());
            }
            if (Liveness.isLive(lock.expiresAtMs(), moment.sentMs())) {
                return new Refused(Liveness.grantableInMs(lock.expiresAtMs(), moment.sentMs()));
            }
        }
        refuseSecondKey(reading, moment);
        return grant(CounterDocument.read(reading.documents().get(1)), moment, transaction);
    }

    private Granted grant(long counter, Moment moment, Transaction transaction) {
        long now = moment.receivedMs();
        StoredLock lock = new StoredLock(
                request.key().value(),
                request.lockId(),
                now,
                now + request.ttl().millis(),
                nextFence(counter, moment.storeMs()));
        transaction.set(lock(), LockDocument.fields(lock));
        CounterDocument.write(transaction, counter(), lock.fence());
        return granted(lock, request.ttl().millis());
    }

    /** The floor is the store's time: one clock for all clients. */
    private Fence nextFence(long counter, long storeMs) {
        Fence next = FenceLimits.next(counter);
        boolean floored = fenceMode == FenceMode.TIME_FLOORED && storeMs <= Fence.WARN.value();
        return floored && storeMs > next.value() ? new Fence(storeMs) : next;
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

    private static Granted granted(StoredLock lock, long remainingMs) {
        return new Granted(lock.lockId(), lock.fence(), lock.expiresAtMs(), remainingMs);
    }

    private DocumentReference lock() {
        return collections.lock(request.key());
    }

    private DocumentReference counter() {
        return collections.counter(request.key());
    }
}
