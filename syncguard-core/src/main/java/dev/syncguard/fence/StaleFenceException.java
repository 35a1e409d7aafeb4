package dev.syncguard.fence;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockKey;

/**
 * The resource refused a writer: a holder with a newer fence was there before.
 *
 * <p>The lease of this writer was lost, whether or not the writer has noticed. Nothing may be written with its fence any
 * more: roll back, acquire the lock again and repeat the work from its beginning. {@link #key()} is the raw resource.
 */
public final class StaleFenceException extends LockException {

    private static final long serialVersionUID = 1L;

    /** The number of the fence that was refused. */
    private final long fence;

    /** The number of the highest fence that the resource had accepted. */
    private final long highest;

    /**
     * Creates the exception.
     *
     * @param resource what was to be written to
     * @param fence the fence that was refused
     * @param highest the highest fence that the resource had accepted
     */
    public StaleFenceException(LockKey resource, Fence fence, Fence highest) {
        super(
                Code.INTERNAL,
                "fence " + fence + " is stale: the resource has accepted " + highest
                        + ", so the lock was lost meanwhile; acquire it again and repeat the work",
                null,
                false,
                resource,
                null);
        this.fence = fence.value();
        this.highest = highest.value();
    }

    /**
     * Returns the fence that was refused.
     *
     * @return the fence of the writer
     */
    public Fence fence() {
        return new Fence(fence);
    }

    /**
     * Returns the highest fence that the resource had accepted when it refused this one.
     *
     * @return the fence of a later holder
     */
    public Fence highest() {
        return new Fence(highest);
    }
}
