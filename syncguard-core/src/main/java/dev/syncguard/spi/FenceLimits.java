package dev.syncguard.spi;

import dev.syncguard.Fence;
import dev.syncguard.FenceMode;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import java.lang.System.Logger.Level;

/** Checks fence counters before they are written, and warns long before they run out. */
public final class FenceLimits {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");

    private FenceLimits() {}

    /**
     * Checks a stored counter before it is raised, for backends that compute the next fence in Java.
     *
     * @param counter the stored number, 0 if there is none
     * @return the fence of the next grant
     * @throws LockException with {@link Code#INTERNAL} if the counter is damaged or used up
     */
    public static Fence next(long counter) {
        check(counter);
        if (counter == Fence.MAX.value()) {
            throw exhausted();
        }
        return new Fence(counter + 1);
    }

    /**
     * Finds the next fence, for backends that do so in Java.
     *
     * @param mode how
     * @param counter the stored number, 0 if there is none
     * @param nowMs the store's time
     * @return the fence of the next grant: in the mode {@link FenceMode#TIME_FLOORED} at least the time, unless that is so
     *     high that it would use up the counter
     * @throws LockException with {@link Code#INTERNAL} if the counter is damaged or used up
     */
    public static Fence next(FenceMode mode, long counter, long nowMs) {
        Fence next = next(counter);
        boolean floored = mode == FenceMode.TIME_FLOORED && nowMs > next.value() && nowMs <= Fence.WARN.value();
        return floored ? new Fence(nowMs) : next;
    }

    /**
     * Checks a stored counter.
     *
     * @param counter the stored number
     * @return the last fence that was granted
     * @throws LockException with {@link Code#INTERNAL} if the counter is damaged
     */
    public static Fence counter(long counter) {
        check(counter);
        return new Fence(counter);
    }

    private static void check(long counter) {
        if (counter < 0) {
            throw new LockException(
                    Code.INTERNAL,
                    "the fence counter in the store is damaged; repair it with raiseFence, on the command line 'fence raise'");
        }
        if (counter > Fence.MAX.value()) {
            throw new LockException(
                    Code.INTERNAL, "the fence counter in the store is above the limit; move to a new key");
        }
    }

    /**
     * Checks what a counter is to be raised to.
     *
     * @param atLeast what a caller asked for
     * @return the same fence
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if it is above {@link Fence#MAX}
     */
    public static Fence raisable(Fence atLeast) {
        if (atLeast.isNewerThan(Fence.MAX)) {
            throw new LockException(
                    Code.INVALID_ARGUMENT, "a fence counter can be raised to " + Fence.MAX + " at most");
        }
        return atLeast;
    }

    /**
     * Returns the failure of a key whose counter has reached {@link Fence#MAX}.
     *
     * @return the exception to throw, before anything is written
     */
    public static LockException exhausted() {
        return new LockException(Code.INTERNAL, "the fence counter is used up; move to a new key");
    }

    /**
     * Logs a warning if the fence is above {@link Fence#WARN}. Every backend calls this for each grant.
     *
     * @param key the key, logged by its hash
     * @param fence the fence that was granted
     * @return the same fence
     */
    public static Fence warnIfHigh(LockKey key, Fence fence) {
        if (fence.isNewerThan(Fence.WARN)) {
            LOGGER.log(
                    Level.WARNING,
                    "fence {0} of key {1} is close to the limit {2}: plan a new key",
                    fence,
                    key.hash(),
                    Fence.MAX);
        }
        return fence;
    }
}
