package dev.syncguard.fence;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * A writer's claim to be the current holder, checked before anything is sent: what a guard works with.
 *
 * @param resource what is written to
 * @param fence the fence of the writer's lease
 */
public record FenceClaim(LockKey resource, Fence fence) {

    /**
     * Checks the fence.
     *
     * @param resource what is written to
     * @param fence from 1 to {@link Fence#MAX}: no store grants another one
     * @throws LockException with {@link Code#INVALID_ARGUMENT} for anything else
     */
    public FenceClaim {
        if (resource == null || fence == null) {
            throw new LockException(Code.INVALID_ARGUMENT, "resource and fence must not be null");
        }
        if (fence.value() == 0 || fence.isNewerThan(Fence.MAX)) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "no lock is granted with fence " + fence + "; pass the fence of the lease, 1 to " + Fence.MAX);
        }
    }

    /**
     * Checks what a caller passed.
     *
     * @param resource the text of the caller
     * @param fence the fence of the caller
     * @return the claim
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if one of them is not allowed
     */
    public static FenceClaim of(String resource, Fence fence) {
        return new FenceClaim(LockKey.of(resource), fence);
    }

    /**
     * Refuses this claim if a newer fence was accepted before.
     *
     * @param highest the highest fence that was accepted, or null if there was none
     * @return the fence of this claim, now the highest
     * @throws StaleFenceException if that is newer than the claim's
     */
    public Fence over(@Nullable Fence highest) {
        if (highest != null && highest.isNewerThan(fence)) {
            throw new StaleFenceException(resource, fence, highest);
        }
        return fence;
    }
}
