package dev.syncguard.tck;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.HandOver.Message;
import dev.syncguard.spi.HandOver.Place;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** A client that queues for a lock. */
final class QueuedWaiter implements HandOver.Heir, AutoCloseable {

    /** No guard's: backends that are broken on purpose tell these waiters by it. */
    static final long PATIENCE_MS = 61_234;

    static final long CLAIM_MS = 1000;

    final LockId lockId;
    final Queue<Message> messages = new ConcurrentLinkedQueue<>();
    private final LockBackend backend;
    private final LockKey key;
    private final Subscription subscription;
    private long attempts;

    QueuedWaiter(LockBackend backend, LockKey key) {
        HandOver handOver =
                backend.handOver().orElseGet(() -> Assumptions.abort("this backend does not hand over locks"));
        this.backend = backend;
        this.key = key;
        this.lockId = backend.newLockId(key);
        this.subscription = handOver.subscribe(key, lockId, this);
    }

    boolean isActive() {
        return subscription.isActive();
    }

    long attempts() {
        return attempts;
    }

    AcquireOutcome attempt() {
        return attempt(Rules.HOUR, PATIENCE_MS, CLAIM_MS);
    }

    AcquireOutcome attempt(Ttl ttl, long patienceMs, long claimMs) {
        attempts++;
        return attempt(ttl, new Place(attempts, patienceMs, claimMs), null);
    }

    AcquireOutcome attempt(Ttl ttl, Place place, @Nullable String label) {
        return backend.acquire(new AcquireRequest(key, lockId, ttl, false, label, place), Rules.NONE);
    }

    ReleaseOutcome release() {
        return backend.release(new ReleaseRequest(lockId, key), Rules.NONE);
    }

    @Override
    public void wake() {}

    @Override
    public void granted(Message message) {
        messages.add(message);
    }

    @Override
    public void close() {
        subscription.close();
    }
}
