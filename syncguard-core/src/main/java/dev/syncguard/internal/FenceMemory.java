package dev.syncguard.internal;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the highest fence seen for recent keys, to notice a store that lost its counters.
 *
 * <p>Why there are no false alarms: what was seen <em>before</em> an attempt was sent had been granted before it, so the
 * attempt's fence must be higher, whatever order the replies are handled in. Bounded: keys whose hashes collide push each
 * other out, and a key that was pushed out is simply not checked.
 */
final class FenceMemory {

    private static final int SLOTS = 4096;

    private final AtomicReferenceArray<@Nullable Seen> slots = new AtomicReferenceArray<>(SLOTS);

    record Seen(LockKey key, Fence fence, LockId lockId) {}

    /** Returns the highest fence seen for the key, if it is remembered. */
    @Nullable
    Seen recall(LockKey key) {
        Seen seen = slots.get(slot(key));
        return seen != null && seen.key.equals(key) ? seen : null;
    }

    /** Fails if a grant is not newer than what was seen before it was asked for. */
    void check(@Nullable Seen before, LockKey key, LockId lockId, Fence fence) {
        if (before != null && !before.lockId.equals(lockId) && !fence.isNewerThan(before.fence)) {
            throw new LockException(
                            Code.INTERNAL,
                            "fence regressed: the store lost data (granted " + fence + " after " + before.fence
                                    + "); raise the counter above the highest known fence with raiseFence, on the command line"
                                    + " 'fence raise'")
                    .about(key, lockId);
        }
    }

    void remember(LockKey key, LockId lockId, Fence fence) {
        Seen seen = new Seen(key, fence, lockId);
        int slot = slot(key);
        while (true) {
            Seen current = slots.get(slot);
            boolean keep = current != null && current.key.equals(key) && !fence.isNewerThan(current.fence);
            if (keep || slots.compareAndSet(slot, current, seen)) {
                return;
            }
        }
    }

    private static int slot(LockKey key) {
        int hash = key.hashCode();
        return (hash ^ (hash >>> 16)) & (SLOTS - 1);
    }
}
