package dev.syncguard.internal;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request that gives a lock back: a release, or before its minimum is over an extension that ends it then. Without an
 * object of its own, because every release goes through here.
 */
final class ReleaseStep {

    private ReleaseStep() {}

    /**
     * Sends the request.
     *
     * @param rest what is left of the minimum; null if the lock is removed
     */
    static ReleaseOutcome send(Store store, LockKey key, LockId lockId, @Nullable Ttl rest) {
        return rest == null
                ? store.release(new ReleaseRequest(lockId, key))
                : outcome(store.extend(new ExtendRequest(lockId, key, rest, Mode.REPLACE)));
    }

    /** Sends the request without blocking. */
    static CompletableFuture<ReleaseOutcome> send(AsyncStore store, LockKey key, LockId lockId, @Nullable Ttl rest) {
        return rest == null
                ? store.release(new ReleaseRequest(lockId, key))
                : store.extend(new ExtendRequest(lockId, key, rest, Mode.REPLACE))
                        .thenApply(ReleaseStep::outcome);
    }

    private static ReleaseOutcome outcome(ExtendOutcome outcome) {
        if (outcome instanceof NotExtended refusal) {
            return refusal == NotExtended.EXPIRED ? ReleaseOutcome.EXPIRED : ReleaseOutcome.NOT_FOUND;
        }
        return ReleaseOutcome.RELEASED;
    }
}
