package dev.syncguard.redis;

import dev.syncguard.Fence;
import dev.syncguard.FenceMode;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.HandOver.Place;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What each operation sends. */
final class RedisRequests {

    private static final String CLEANUP_GUARD_MS = Long.toString(Liveness.CLEANUP_GUARD_MS);

    private final RedisKeys keys;
    private final String fenceMode;
    private final String publish;
    private final boolean cleanup;
    private final @Nullable RedisReleaseSignals waiters;
    private final @Nullable RedisHandOver handOver;

    RedisRequests(
            RedisKeys keys,
            FenceMode fenceMode,
            String publish,
            boolean cleanup,
            @Nullable RedisReleaseSignals waiters,
            @Nullable RedisHandOver handOver) {
        this.keys = keys;
        this.fenceMode = fenceMode == FenceMode.TIME_FLOORED ? "t" : "c";
        this.publish = publish;
        this.cleanup = cleanup;
        this.waiters = waiters;
        this.handOver = handOver;
    }

    RedisRequest<AcquireOutcome> acquire(AcquireRequest request) {
        RedisNamespace names = keys.of(request.key());
        LockId lockId = request.lockId();
        if (keys.of(lockId) != names) {
            throw internal("this lock id was drawn for another key; see LockBackend.newLockId");
        }
        String lock = names.lock(request.key());
        RedisReleaseSignals others = request.willWait() ? waiters : null;
        List<String> words = Arrays.asList(
                "3",
                lock,
                names.index(lockId),
                names.counter(request.key()),
                lockId.value(),
                Long.toString(request.ttl().millis()),
                request.key().value(),
                fenceMode,
                others == null ? "" : others.token(),
                others == null ? "" : others.takeOthers(lock));
        return new RedisRequest<>(
                RedisScript.ACQUIRE, withOptional(words, request), reply -> RedisOutcomes.acquired(request, reply));
    }

    /** Adds what few attempts have: a label, and a place in the queue. */
    private List<String> withOptional(List<String> words, AcquireRequest request) {
        String label = request.label();
        Place place = handOver == null ? null : request.place();
        if (label == null && place == null) {
            return words;
        }
        List<String> all = new ArrayList<>(words);
        all.add(label == null ? "" : label);
        if (place != null && handOver != null) {
            all.add(handOver.token() + ":" + place.attempt());
            all.add(Long.toString(place.patienceMs()));
            all.add(Long.toString(place.claimMs()));
        }
        return all;
    }

    RedisRequest<ReleaseOutcome> release(ReleaseRequest request) {
        LockId lockId = request.lockId();
        LockKey key = request.key();
        RedisNamespace names = keys.of(lockId);
        String lock = lock(lockId, key);
        if (key == null || lock == null || !names.isPlain()) {
            return release(lockId, lock);
        }
        return new RedisRequest<>(
                RedisScript.RELEASE,
                List.of("3", names.index(lockId), lock, names.counter(key), lockId.value(), publish, names.start()),
                RedisOutcomes::released);
    }

    private RedisRequest<ReleaseOutcome> release(LockId lockId, @Nullable String lock) {
        RedisNamespace names = keys.of(lockId);
        String index = names.index(lockId);
        String id = lockId.value();
        return lock == null
                ? byId(
                        RedisScript.RELEASE,
                        List.of("1", index, id, publish, names.start()),
                        RedisOutcomes::released,
                        found -> release(lockId, found))
                : new RedisRequest<>(
                        RedisScript.RELEASE,
                        List.of("2", index, lock, id, publish, names.start()),
                        RedisOutcomes::released);
    }

    /** Where the lock is, if the caller knows its key. An id that another client drew may be in another namespace. */
    private @Nullable String lock(LockId lockId, @Nullable LockKey key) {
        if (key == null) {
            return null;
        }
        RedisNamespace names = keys.of(key);
        return keys.of(lockId) == names ? names.lock(key) : null;
    }

    /** Of a lock id alone. A single server has all keys, so that there is nothing more to ask. */
    private <T> RedisRequest<T> byId(
            RedisScript script,
            List<String> words,
            Function<List<Object>, T> decoder,
            Function<String, RedisRequest<T>> withLock) {
        return new RedisRequest<>(script, words, decoder, keys.isCluster() ? withLock : null);
    }

    RedisRequest<ExtendOutcome> extend(ExtendRequest request) {
        return extend(request, lock(request.lockId(), request.key()));
    }

    private RedisRequest<ExtendOutcome> extend(ExtendRequest request, @Nullable String lock) {
        RedisNamespace names = keys.of(request.lockId());
        String index = names.index(request.lockId());
        String id = request.lockId().value();
        String ttlMs = Long.toString(request.ttl().millis());
        String mode = request.mode() == Mode.AT_LEAST ? "at-least" : "";
        return lock == null
                ? byId(
                        RedisScript.EXTEND,
                        List.of("1", index, id, ttlMs, mode, names.start()),
                        RedisOutcomes::extended,
                        found -> extend(request, found))
                : new RedisRequest<>(
                        RedisScript.EXTEND, List.of("2", index, lock, id, ttlMs, mode), RedisOutcomes::extended);
    }

    RedisRequest<Boolean> isLocked(LockKey key) {
        RedisNamespace names = keys.of(key);
        return new RedisRequest<>(
                RedisScript.IS_LOCKED,
                List.of("1", names.lock(key), cleanup ? names.indexStart() : "", CLEANUP_GUARD_MS),
                RedisOutcomes::isFound);
    }

    RedisRequest<Optional<StoredLock>> findByKey(LockKey key) {
        return findAt(keys.of(key).lock(key));
    }

    RedisRequest<Optional<StoredLock>> findAt(String storageKey) {
        return new RedisRequest<>(RedisScript.FIND_BY_KEY, List.of("1", storageKey), RedisOutcomes::found);
    }

    RedisRequest<Optional<StoredLock>> findById(LockId lockId) {
        RedisNamespace names = keys.of(lockId);
        String index = names.index(lockId);
        return byId(
                RedisScript.FIND_BY_ID,
                List.of("1", index, lockId.value(), names.start()),
                RedisOutcomes::found,
                lock -> new RedisRequest<>(
                        RedisScript.FIND_BY_ID,
                        List.of("2", index, lock, lockId.value(), names.start()),
                        RedisOutcomes::found));
    }

    RedisRequest<Fence> raiseFence(LockKey key, Fence atLeast) {
        FenceLimits.raisable(atLeast);
        RedisNamespace names = keys.of(key);
        return new RedisRequest<>(
                RedisScript.RAISE_FENCE, List.of("1", names.counter(key), Long.toString(atLeast.value())), reply -> {
                    RedisOutcomes.checkCode((int) RedisReply.number(reply, 0));
                    return RedisReply.fence(reply, 1);
                });
    }

    private static LockException internal(String message) {
        return new LockException(Code.INTERNAL, message);
    }
}
