package dev.syncguard.fence;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.Optional;

/**
 * Remembers the highest fence that has written to each resource, and refuses a lower one.
 *
 * <p>A lock alone cannot stop a holder that was paused past its lease and wakes up late. A guard at the resource can: the
 * next holder's fence is higher, and a later writer with a lower one is refused.
 *
 * <p>A writer that reads what it is going to change advances before it reads, and again with the write. Otherwise an older holder's
 * write, accepted between the two, would be overwritten by what was computed without it.
 *
 * <p>A guard whose check belongs into a transaction of the caller has the same methods with that transaction as the first
 * argument.
 *
 * @implSpec
 * <ul>
 *   <li><b>GRD-1</b> MUST refuse a fence that is older than the highest one that was accepted for the resource.
 *   <li><b>GRD-2</b> MUST accept the highest fence again: a holder writes more than once, and repeats what failed.
 *   <li><b>GRD-3</b> MUST compare and advance in one atomic step, so that the highest fence never goes back.
 * </ul>
 */
public interface FenceGuard {

    /**
     * Accepts a fence that is as high as the highest one so far, or higher, and remembers it.
     *
     * @param resource what is written to: a text of 1 to 512 bytes, compared as lock keys are; use the key of the lock,
     *     because fences of different keys cannot be compared
     * @param fence the fence of the writer's lease
     * @throws StaleFenceException if a newer fence was accepted before: the writer has lost its lock and must not write
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if an argument is not allowed; nothing is remembered then
     */
    void advance(String resource, Fence fence);

    /**
     * Returns the highest fence that was accepted for a resource. For display and tests: between this answer and a write
     * another holder may come, so a check with it protects nothing.
     *
     * @param resource what is written to
     * @return the fence, or empty if none was accepted yet
     */
    Optional<Fence> highest(String resource);
}
