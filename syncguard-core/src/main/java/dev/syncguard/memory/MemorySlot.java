package dev.syncguard.memory;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.memory.MemoryQueue.Waiting;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.HandOver.Message;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.support.WakeUp;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything about one key: its counter, its lock and who waits for it. Never removed, because the counter must stay.
 *
 * <p>Each operation holds {@link #guard} from its first look to its last write, which makes it atomic. Readers see the
 * lock as one immutable object.
 */
final class MemorySlot {

    private final MemoryStore store;
    private final String key;
    private final ReentrantLock guard = new ReentrantLock();
    private final List<WakeUp> subscriptions = new CopyOnWriteArrayList<>();
    private final MemoryQueue queue = new MemoryQueue();

    private long counter;
    private volatile @Nullable StoredLock held;
    private boolean somebodyWaits;

    MemorySlot(MemoryStore store, String key) {
        this.store = store;
        this.key = key;
    }

    AcquireOutcome acquire(AcquireRequest request) {
        guard.lock();
        try {
            long now = store.nowMs();
            StoredLock current = held;
            if (current != null) {
                boolean own = current.lockId().equals(request.lockId());
                if (own && Liveness.isStrictlyLive(current.expiresAtMs(), now)) {
                    return Granted.of(current, now);
                }
                if (Liveness.isLive(current.expiresAtMs(), now)) {
                    somebodyWaits |= request.willWait();
                    queue.join(request, now);
                    return new Refused(Liveness.grantableInMs(current.expiresAtMs(), now));
                }
            }
            queue.clear(); // it ends with the lock that it waited for
            return Granted.of(grant(request, current, now), now);
        } finally {
            guard.unlock();
        }
    }

    private StoredLock grant(AcquireRequest request, @Nullable StoredLock ended, long now) {
        Fence fence = FenceLimits.warnIfHigh(request.key(), FenceLimits.next(counter)); // a log handler may throw
        if (!store.index().add(request.lockId(), this)) {
            throw new LockException(Code.INTERNAL, "this lock id holds another key");
        }
        if (ended != null && !ended.lockId().equals(request.lockId())) {
            store.index().remove(ended.lockId(), this);
        }
        counter = fence.value();
        StoredLock lock =
                new StoredLock(key, request.lockId(), now, now + request.ttl().millis(), fence, request.label());
        held = lock;
        return lock;
    }

    ReleaseOutcome release(LockId lockId) {
        Runnable tell;
        guard.lock();
        try {
            StoredLock current = held;
            if (current == null || !current.lockId().equals(lockId)) {
                store.index().remove(lockId, this);
                queue.leave(lockId);
                return ReleaseOutcome.NOT_FOUND;
            }
            long now = store.nowMs();
            clear(current);
            if (!Liveness.isLive(current.expiresAtMs(), now)) {
                return ReleaseOutcome.EXPIRED;
            }
            tell = next(now);
        } finally {
            guard.unlock();
        }
        tell.run();
        return ReleaseOutcome.RELEASED;
    }

    /** Grants the lock that was released to the first waiter of the queue, if there is one; returns who is told of what. */
    private Runnable next(long now) {
        Waiting heir = queue.poll(now, store.handOver()::hears);
        while (heir != null) {
            try {
                Message message = heir.message(grant(heir.claim(), null, now));
                LockId lockId = heir.lockId();
                return () -> store.handOver().tell(lockId, message);
            } catch (LockException e) {
                heir = queue.poll(now, store.handOver()::hears); // the release succeeds all the same
            }
        }
        boolean tell = somebodyWaits;
        somebodyWaits = false;
        return tell ? () -> subscriptions.forEach(WakeUp::wake) : () -> {};
    }

    ExtendOutcome extend(ExtendRequest request) {
        guard.lock();
        try {
            StoredLock current = held;
            if (current == null || !current.lockId().equals(request.lockId())) {
                return NotExtended.NOT_FOUND;
            }
            long now = store.nowMs();
            if (!Liveness.isStrictlyLive(current.expiresAtMs(), now)) {
                return NotExtended.EXPIRED;
            }
            long expiresAtMs = request.expiresAtMs(current.expiresAtMs(), now);
            held = current.endingAt(expiresAtMs);
            return new Extended(expiresAtMs, expiresAtMs - now);
        } finally {
            guard.unlock();
        }
    }

    @Nullable
    StoredLock held() {
        return held;
    }

    Fence raise(Fence atLeast) {
        guard.lock();
        try {
            counter = Math.max(counter, atLeast.value());
            return FenceLimits.counter(counter);
        } finally {
            guard.unlock();
        }
    }

    /** Active from the start, since nothing lies between it and the store. */
    WakeUp subscribe(Runnable action) {
        WakeUp subscription = new WakeUp(action);
        subscriptions.add(subscription);
        subscription.join(() -> true, () -> subscriptions.remove(subscription));
        return subscription;
    }

    // ---- what the simulator does to a store behind the back of its clients

    long counter() {
        guard.lock();
        try {
            return counter;
        } finally {
            guard.unlock();
        }
    }

    void setCounter(long value) {
        guard.lock();
        try {
            counter = value;
        } finally {
            guard.unlock();
        }
    }

    void lose() {
        change(lock -> {
            queue.clear();
            clear(lock);
        });
    }

    void expireAt(long expiresAtMs) {
        change(lock -> held = lock.endingAt(expiresAtMs));
    }

    private void change(Consumer<StoredLock> change) {
        guard.lock();
        try {
            StoredLock current = held;
            if (current == null) {
                throw new IllegalStateException("the key is not locked");
            }
            change.accept(current);
        } finally {
            guard.unlock();
        }
    }

    /** The lock first: whoever no longer finds the index entry must not see the lock either. */
    private void clear(StoredLock lock) {
        held = null;
        store.index().remove(lock.lockId(), this);
    }
}
