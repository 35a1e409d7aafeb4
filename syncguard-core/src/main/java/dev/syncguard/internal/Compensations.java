package dev.syncguard.internal;

import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.Ttl;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes back what an acquire with an unknown outcome may have been granted.
 *
 * <p>A release that finds the lock ends the matter: the acquire was carried out, and its id is never sent again. One that
 * finds nothing is repeated after a command timeout, because it may have overtaken the acquire. A release that fails is
 * repeated until the lock must have ended by itself.
 */
final class Compensations {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final long MILLI = 1_000_000;

    private final Guard guard;
    private final Set<Compensation> pending = ConcurrentHashMap.newKeySet();

    Compensations(Guard guard) {
        this.guard = guard;
    }

    void start(LockKey key, LockId lockId, Ttl ttl) {
        Compensation compensation = new Compensation(key, lockId, ttl);
        pending.add(compensation);
        compensation.attempt();
    }

    /** Waits until all is taken back, but not longer than the limit. */
    void await(long limitNanos) {
        CompletableFuture<?>[] all =
                pending.stream().map(compensation -> compensation.done).toArray(CompletableFuture<?>[]::new);
        if (!Awaiting.done(CompletableFuture.allOf(all), limitNanos)) {
            LOGGER.log(
                    Level.WARNING,
                    "closed with {0} acquires of unknown outcome: what they were granted ends with its ttl",
                    pending.size());
        }
    }

    private final class Compensation {
        private final LockKey key;
        private final LockId lockId;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final long pause = guard.store().backend().commandTimeout().toNanos();
        private final long start = guard.time().nanoTime();
        private final long worthwhile;
        private boolean foundNothing;

        Compensation(LockKey key, LockId lockId, Ttl ttl) {
            this.key = key;
            this.lockId = lockId;
            this.worthwhile = ttl.nanos() + 1000 * MILLI + pause;
        }

        void attempt() {
            guard.store().releaseAsync(key, lockId).whenComplete(this::answered);
        }

        private void answered(@Nullable ReleaseOutcome outcome, @Nullable Throwable failure) {
            boolean nothing = failure == null && outcome != ReleaseOutcome.RELEASED;
            boolean released = failure == null && !nothing;
            boolean tooLate = guard.time().nanoTime() - start > worthwhile;
            if (released) {
                guard.room().released(key);
            }
            if (released || tooLate || (nothing && foundNothing)) {
                pending.remove(this);
                done.complete(null);
                return;
            }
            foundNothing = nothing;
            if (failure != null) {
                LockException cause = Store.translate(failure, key, lockId);
                LOGGER.log(Level.DEBUG, "a compensating release failed and is repeated: {0}", cause.getMessage());
            }
            guard.time().schedule(pause, this::attempt);
        }
    }
}
