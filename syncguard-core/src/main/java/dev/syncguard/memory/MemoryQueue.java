package dev.syncguard.memory;

import dev.syncguard.LockId;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.HandOver.Message;
import dev.syncguard.spi.HandOver.Place;
import dev.syncguard.spi.StoredLock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The waiters of one key that a release may hand the lock over to, first come, first served. Guarded by its slot. */
final class MemoryQueue {

    private static final int MOST = 512;

    private final Map<LockId, Waiting> waiters = new LinkedHashMap<>();

    /** An attempt that was refused. */
    record Waiting(AcquireRequest request, Place place, long sinceMs) {

        LockId lockId() {
            return request.lockId();
        }

        /** What the store grants: for the claim only. */
        AcquireRequest claim() {
            Ttl claim = new Ttl(Math.min(place.claimMs(), request.ttl().millis()));
            return new AcquireRequest(request.key(), lockId(), claim, false, request.label());
        }

        Message message(StoredLock lock) {
            long waitedMs = Math.max(0, lock.acquiredAtMs() - sinceMs);
            return new Message(
                    place.attempt(),
                    lock.fence(),
                    lock.expiresAtMs(),
                    lock.expiresAtMs() - lock.acquiredAtMs(),
                    waitedMs);
        }
    }

    /** Queues a refused attempt; one that is repeated keeps its place. */
    void join(AcquireRequest request, long nowMs) {
        Place place = request.place();
        if (place != null && (waiters.size() < MOST || waiters.containsKey(request.lockId()))) {
            waiters.put(request.lockId(), new Waiting(request, place, nowMs));
        }
    }

    void leave(LockId lockId) {
        waiters.remove(lockId);
    }

    void clear() {
        waiters.clear();
    }

    /** Takes the first out whose place has not expired and that can be told; null if there is none. */
    @Nullable
    Waiting poll(long nowMs, Predicate<LockId> hears) {
        while (!waiters.isEmpty()) {
            Waiting first = waiters.values().iterator().next();
            waiters.remove(first.lockId());
            if (nowMs - first.sinceMs() < first.place().patienceMs() && hears.test(first.lockId())) {
                return first;
            }
        }
        return null;
    }
}
