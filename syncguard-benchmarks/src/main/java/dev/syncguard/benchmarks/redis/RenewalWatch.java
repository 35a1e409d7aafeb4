package dev.syncguard.benchmarks.redis;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sees when each lease is renewed: from the moment its grant or its last extension was sent until the next extension has
 * been answered. A guard renews through the asynchronous operations.
 */
final class RenewalWatch extends ForwardingLockBackend {

    private final AsyncLockBackend async;
    private final Map<LockId, Long> sent = new ConcurrentHashMap<>();
    private final AtomicLong renewals = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong oldest = new AtomicLong();

    RenewalWatch(LockBackend target) {
        super(target);
        this.async = new Watched(target.async().orElseThrow());
    }

    @Override
    public Optional<AsyncLockBackend> async() {
        return Optional.of(async);
    }

    /** Returns after how many nanoseconds the latest renewal since the last call was done. */
    long takeOldest() {
        return oldest.getAndSet(0);
    }

    /** Returns how many renewals were done since the last call. */
    long takeRenewals() {
        return renewals.getAndSet(0);
    }

    /** Returns how many renewals have failed. */
    long failures() {
        return failures.get();
    }

    private void answered(LockId lockId, long dispatched, boolean extended) {
        Long before = sent.put(lockId, dispatched);
        if (extended && before != null) {
            long age = System.nanoTime() - before;
            oldest.accumulateAndGet(age, Math::max);
            renewals.incrementAndGet();
        } else {
            failures.incrementAndGet();
        }
    }

    private final class Watched implements AsyncLockBackend {

        private final AsyncLockBackend target;

        Watched(AsyncLockBackend target) {
            this.target = target;
        }

        @Override
        public CompletionStage<AcquireOutcome> acquire(AcquireRequest request, AbortSignal signal) {
            sent.put(request.lockId(), System.nanoTime());
            return target.acquire(request, signal);
        }

        @Override
        public CompletionStage<ExtendOutcome> extend(ExtendRequest request, AbortSignal signal) {
            long dispatched = System.nanoTime();
            return target.extend(request, signal)
                    .whenComplete((outcome, failure) ->
                            answered(request.lockId(), dispatched, outcome instanceof ExtendOutcome.Extended));
        }

        @Override
        public CompletionStage<ReleaseOutcome> release(ReleaseRequest request, AbortSignal signal) {
            return target.release(request, signal);
        }

        @Override
        public CompletionStage<Boolean> isLocked(LockKey key, AbortSignal signal) {
            return target.isLocked(key, signal);
        }

        @Override
        public CompletionStage<Optional<StoredLock>> findByKey(LockKey key, AbortSignal signal) {
            return target.findByKey(key, signal);
        }

        @Override
        public CompletionStage<Optional<StoredLock>> findById(LockId lockId, AbortSignal signal) {
            return target.findById(lockId, signal);
        }
    }
}
