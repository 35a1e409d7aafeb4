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
 * One request that gives a lock back: a release, or before its minimum is over an extension that ends it then.
 *
 * @param rest what is left of the minimum; null if the lock is removed
 */
record ReleaseStep(LockKey key, LockId lockId, @Nullable Ttl rest) {

    static ReleaseStep now(LockKey key, LockId lockId, @Nullable Minimum minimum, GuardClock clock) {
        return new ReleaseStep(key, lockId, minimum == null ? null : minimum.left(clock.monotonic()));
    }

    ReleaseOutcome send(Store store) {
        return rest == null ? store.release(release()) : outcome(store.extend(extend(rest)));
    }

    CompletableFuture<ReleaseOutcome> send(AsyncStore store) {
        return rest == null
                ? store.release(release())
                : store.extend(extend(rest)).thenApply(ReleaseStep::outcome);
    }

    private ReleaseRequest release() {
        return new ReleaseRequest(lockId, key);
    }

    private ExtendRequest extend(Ttl ttl) {
        return new ExtendRequest(lockId, key, ttl, Mode.REPLACE);
    }

    private static ReleaseOutcome outcome(ExtendOutcome outcome) {
        if (outcome instanceof NotExtended refusal) {
            return refusal == NotExtended.EXPIRED ? ReleaseOutcome.EXPIRED : ReleaseOutcome.NOT_FOUND;
        }
        return ReleaseOutcome.RELEASED;
    }
}
