package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.Finding;
import dev.syncguard.KeyHash;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockInfo;
import dev.syncguard.LockKey;
import dev.syncguard.LockPage;
import dev.syncguard.RawLockInfo;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.StoredLock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The verbs that look at locks and at the store, on the caller's thread and without one. */
public final class Lookups {

    private final Store store;
    private final AsyncStore async;
    private final InFlight inFlight;
    private final Completion completion;
    private final KeyHash hash;

    Lookups(Store store, AsyncStore async, InFlight inFlight, Completion completion, KeyHash hash) {
        this.store = store;
        this.async = async;
        this.inFlight = inFlight;
        this.completion = completion;
        this.hash = hash;
    }

    public boolean isLocked(LockKey key, AbortSignal signal) {
        return count(() -> store.isLocked(key, signal));
    }

    public CompletableFuture<Boolean> isLockedAsync(LockKey key, AbortSignal signal) {
        return countAsync(() -> async.isLocked(key, signal));
    }

    public Optional<RawLockInfo> find(LockKey key, AbortSignal signal) {
        return count(() -> store.findByKey(key, signal)).map(this::raw);
    }

    public Optional<RawLockInfo> find(LockId lockId, AbortSignal signal) {
        return count(() -> store.findById(lockId, signal)).map(this::raw);
    }

    public CompletableFuture<Optional<RawLockInfo>> findAsync(LockKey key, AbortSignal signal) {
        return countAsync(() -> async.findByKey(key, signal).thenApply(found -> found.map(this::raw)));
    }

    public CompletableFuture<Optional<RawLockInfo>> findAsync(LockId lockId, AbortSignal signal) {
        return countAsync(() -> async.findById(lockId, signal).thenApply(found -> found.map(this::raw)));
    }

    public List<Finding> diagnostics(AbortSignal signal) {
        signal.throwIfAborted();
        return count(() -> Store.call(
                null,
                null,
                () -> store.backend()
                        .diagnostics()
                        .map(diagnostics -> diagnostics.inspect(signal))
                        .orElse(List.of())));
    }

    public LockPage<RawLockInfo> listing(@Nullable String cursor, int limit, AbortSignal signal) {
        signal.throwIfAborted();
        return count(() -> Store.call(null, null, () -> {
            LockListing listing = store.backend()
                    .listing()
                    .orElseThrow(() -> new LockException(Code.INVALID_ARGUMENT, "this backend cannot list its locks"));
            LockListing.Page page = listing.list(Optional.ofNullable(cursor), limit, signal);
            return new LockPage<>(page.locks().stream().map(this::raw).toList(), page.next());
        }));
    }

    public Fence raiseFence(LockKey key, Fence atLeast, AbortSignal signal) {
        signal.throwIfAborted();
        return count(() -> Store.call(key, null, () -> store.backend().raiseFence(key, atLeast, signal)));
    }

    /** Runs one of the verbs that only block on the guard's threads. */
    public <T> CompletableFuture<T> onThread(Supplier<T> verb) {
        inFlight.ensureOpen();
        return completion.follow(async.lookup(verb));
    }

    private <T> T count(Supplier<T> lookup) {
        inFlight.begin();
        try {
            return lookup.get();
        } catch (LockException e) {
            throw Failures.forCaller(e);
        } finally {
            inFlight.end();
        }
    }

    private <T> CompletableFuture<T> countAsync(Supplier<CompletableFuture<T>> lookup) {
        inFlight.begin();
        return completion.follow(lookup.get().whenComplete((found, failure) -> inFlight.end()));
    }

    private RawLockInfo raw(StoredLock lock) {
        LockInfo info = new LockInfo(
                hash.hash(lock.key()),
                hash.hash(lock.lockId().value()),
                lock.acquiredAtMs(),
                lock.expiresAtMs(),
                lock.fence());
        return new RawLockInfo(lock.key(), lock.lockId(), info, Optional.ofNullable(lock.label()));
    }
}
