package dev.syncguard.tck;

import dev.syncguard.AbortSignal;
import dev.syncguard.Capabilities;
import dev.syncguard.Capabilities.TimeAuthority;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.LockListing.Page;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.StoredLock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A sound backend on a {@link SmallStore}. Every decision is a method of its own, so that a broken backend overrides the
 * one it gets wrong.
 */
class SmallBackend implements LockBackend {

    final SmallStore store;

    /** Whether isLocked removes locks that ended long ago. */
    boolean cleaning;

    SmallBackend(SmallStore store) {
        this.store = store;
    }

    void check(AbortSignal signal) {
        signal.throwIfAborted();
    }

    // ---- acquire

    @Override
    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        check(signal);
        synchronized (store) {
            StoredLock current = store.locks.get(name(request.key()));
            long now = store.nowMs();
            if (current != null) {
                if (current.lockId().equals(request.lockId()) && isConfirmed(current, now)) {
                    return confirm(current, request, now);
                }
                if (isRespected(current, now)) {
                    return refuse(current, request, now);
                }
            }
            return grant(request, now);
        }
    }

    boolean isConfirmed(StoredLock own, long now) {
        return Liveness.isStrictlyLive(own.expiresAtMs(), now);
    }

    AcquireOutcome confirm(StoredLock own, AcquireRequest request, long now) {
        return new Granted(own.lockId(), own.fence(), own.expiresAtMs(), own.expiresAtMs() - now);
    }

    boolean isRespected(StoredLock other, long now) {
        return Liveness.isLive(other.expiresAtMs(), now);
    }

    AcquireOutcome refuse(StoredLock other, AcquireRequest request, long now) {
        if (request.willWait()) {
            store.waitedFor.add(name(request.key()));
        }
        queue(name(request.key()), request, now);
        return new Refused(Liveness.grantableInMs(other.expiresAtMs(), now));
    }

    AcquireOutcome grant(AcquireRequest request, long now) {
        String name = name(request.key());
        checkHoldsNothingElse(request.lockId(), name);
        Fence fence = nextFence(request.key());
        long expiresAtMs = now + request.ttl().millis();
        String label = label(request, store.locks.get(name));
        store.put(name, new StoredLock(request.key().value(), request.lockId(), now, expiresAtMs, fence, label));
        return new Granted(request.lockId(), fence, expiresAtMs, request.ttl().millis());
    }

    @Nullable
    String label(AcquireRequest request, @Nullable StoredLock before) {
        return request.label();
    }

    void checkHoldsNothingElse(LockId lockId, String name) {
        if (!store.index.getOrDefault(lockId, name).equals(name)) {
            throw new LockException(Code.INTERNAL, "this lock id holds another key");
        }
    }

    Fence nextFence(LockKey key) {
        Fence fence = FenceLimits.next(store.fenceCounter(key.value()));
        store.setFenceCounter(key.value(), fence.value());
        return FenceLimits.warnIfHigh(key, fence);
    }

    String name(LockKey key) {
        return store.name(key.value());
    }

    // ---- release

    @Override
    public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
        check(signal);
        synchronized (store) {
            String name = store.index.get(request.lockId());
            StoredLock current = name == null ? null : store.locks.get(name);
            if (current == null || !mayRelease(current, request.lockId())) {
                store.index.remove(request.lockId());
                leave(request.lockId());
                return ReleaseOutcome.NOT_FOUND;
            }
            boolean live = isReleasable(current, store.nowMs());
            remove(name, current);
            return live ? ReleaseOutcome.RELEASED : ReleaseOutcome.EXPIRED;
        }
    }

    boolean mayRelease(StoredLock lock, LockId lockId) {
        return lock.lockId().equals(lockId);
    }

    boolean isReleasable(StoredLock own, long now) {
        return Liveness.isLive(own.expiresAtMs(), now);
    }

    void remove(String name, StoredLock lock) {
        store.locks.remove(name);
        store.index.remove(lock.lockId());
        SmallQueues.Queued heir = store.queues.poll(name, queued -> isWaiting(queued, store.nowMs()));
        if (heir != null) {
            handOver(name, heir, store.nowMs());
        } else if (store.waitedFor.remove(name)) {
            wake(store.subscriptions.getOrDefault(name, List.of()));
        }
    }

    // ---- hand-over

    void queue(String name, AcquireRequest request, long now) {
        store.queues.join(name, request, now);
    }

    void leave(LockId lockId) {
        store.queues.leave(lockId);
    }

    boolean isWaiting(SmallQueues.Queued queued, long now) {
        return now - queued.sinceMs() < queued.place().patienceMs();
    }

    void handOver(String name, SmallQueues.Queued heir, long now) {
        AcquireRequest request = heir.request();
        Ttl ttl = new Ttl(claimMs(heir));
        Granted granted =
                (Granted) grant(new AcquireRequest(request.key(), request.lockId(), ttl, false, request.label()), now);
        tell(heir, granted, now);
    }

    long claimMs(SmallQueues.Queued heir) {
        return Math.min(heir.place().claimMs(), heir.request().ttl().millis());
    }

    void tell(SmallQueues.Queued heir, Granted granted, long now) {
        store.queues.tell(
                heir.request().lockId(),
                new HandOver.Message(
                        heir.place().attempt(),
                        granted.fence(),
                        granted.expiresAtMs(),
                        granted.remainingMs(),
                        now - heir.sinceMs()));
    }

    void wake(List<SmallSubscription> waiters) {
        waiters.forEach(SmallSubscription::wake);
    }

    // ---- extend

    @Override
    public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
        check(signal);
        synchronized (store) {
            String name = store.index.get(request.lockId());
            StoredLock current = name == null ? null : store.locks.get(name);
            if (current == null || !mayExtend(current, request)) {
                return NotExtended.NOT_FOUND;
            }
            long now = store.nowMs();
            if (!isExtendable(current, request, now)) {
                return NotExtended.EXPIRED;
            }
            StoredLock extended = extended(current, request, now);
            store.locks.put(name, extended);
            return report(extended, request, now);
        }
    }

    boolean mayExtend(StoredLock lock, ExtendRequest request) {
        return lock.lockId().equals(request.lockId());
    }

    boolean isExtendable(StoredLock own, ExtendRequest request, long now) {
        return Liveness.isStrictlyLive(own.expiresAtMs(), now);
    }

    StoredLock extended(StoredLock own, ExtendRequest request, long now) {
        long wanted = now + request.ttl().millis();
        boolean keeps = request.mode() == Mode.AT_LEAST && own.expiresAtMs() > wanted;
        return SmallStore.endingAt(own, keeps ? own.expiresAtMs() : wanted);
    }

    Extended report(StoredLock extended, ExtendRequest request, long now) {
        return new Extended(extended.expiresAtMs(), extended.expiresAtMs() - now);
    }

    // ---- looking

    @Override
    public boolean isLocked(LockKey key, AbortSignal signal) {
        check(signal);
        if (cleaning) {
            cleanUp(name(key));
        }
        return store.stored(key.value()).filter(this::isVisible).isPresent();
    }

    private void cleanUp(String name) {
        synchronized (store) {
            StoredLock lock = store.locks.get(name);
            if (lock != null && isLeftover(lock, store.nowMs())) {
                sweep(name, lock);
            }
        }
    }

    boolean isLeftover(StoredLock lock, long now) {
        return now - lock.expiresAtMs() > 2 * Liveness.TIME_TOLERANCE_MS;
    }

    void sweep(String name, StoredLock lock) {
        store.locks.remove(name);
        store.index.remove(lock.lockId());
    }

    @Override
    public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
        check(signal);
        return store.stored(key.value()).filter(this::isVisible);
    }

    @Override
    public Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
        check(signal);
        synchronized (store) {
            return Optional.ofNullable(store.index.get(lockId))
                    .map(store.locks::get)
                    .filter(lock -> lock.lockId().equals(lockId))
                    .filter(this::isVisible);
        }
    }

    boolean isVisible(StoredLock lock) {
        return Liveness.isLive(lock.expiresAtMs(), store.nowMs());
    }

    // ---- the rest

    @Override
    public Fence raiseFence(LockKey key, Fence atLeast, AbortSignal signal) {
        check(signal);
        if (atLeast.isNewerThan(Fence.MAX)) {
            throw new LockException(Code.INVALID_ARGUMENT, "a counter can be raised to " + Fence.MAX + " at most");
        }
        synchronized (store) {
            long raised = Math.max(atLeast.value(), store.fenceCounter(key.value()));
            store.setFenceCounter(key.value(), raised);
            return new Fence(raised);
        }
    }

    @Override
    public Optional<AsyncLockBackend> async() {
        return Optional.of(new SmallAsync(this));
    }

    @Override
    public Optional<ReleaseSignals> releaseSignals() {
        return Optional.of((key, wakeUp) -> {
            SmallSubscription subscription = subscription(wakeUp);
            store.subscribe(name(key), subscription);
            subscription.wake();
            return subscription;
        });
    }

    @Override
    public Optional<HandOver> handOver() {
        return Optional.of(store.queues);
    }

    SmallSubscription subscription(Runnable wakeUp) {
        return new SmallSubscription(wakeUp);
    }

    @Override
    public Optional<LockListing> listing() {
        return Optional.of((cursor, limit, signal) -> {
            check(signal);
            synchronized (store) {
                List<String> names = store.locks.tailMap(cursor.orElse(""), false).keySet().stream()
                        .limit(limit)
                        .toList();
                List<StoredLock> locks = names.stream()
                        .map(store.locks::get)
                        .filter(this::isListed)
                        .toList();
                return new Page(locks, names.stream().skip(limit - 1L).findFirst());
            }
        });
    }

    boolean isListed(StoredLock lock) {
        return Liveness.isLive(lock.expiresAtMs(), store.nowMs());
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities("small", true, TimeAuthority.SERVER, true);
    }

    @Override
    public void close() {}
}
