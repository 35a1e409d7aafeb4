package dev.syncguard.spi;

import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.ReleaseSignals.Subscription;

/**
 * Hands a lock over: the step that releases it grants it to the waiter that is first in the queue of the key.
 *
 * <p>A waiter subscribes, waits until the subscription is active, then makes an attempt with a {@link Place}; if that meets
 * contention, the attempt has queued it. What it is handed lasts for the claim of its place only, so that a waiter that does not
 * notice (because it is frozen, or the message is lost) holds up the others for no longer. The first extension gives it the
 * full ttl. Nothing depends on a message: a waiter polls all the same, and an attempt with its lock id finds its grant. A
 * waiter that leaves releases its lock id, which takes it out of the queue, or hands over what it was granted meanwhile.
 *
 * <p>First come, first served among those in the queue of one lock. The queue ends with the lock when that expires or is
 * released by a client that does not know of it.
 *
 * @implSpec
 * <ul>
 *   <li><b>HND-1</b> A contended attempt with a place MUST be queued in the same atomic step as its answer.
 *   <li><b>HND-2</b> A release MUST grant the lock to the first waiter of the queue in the same atomic step.
 *   <li><b>HND-3</b> A repeated attempt MUST keep its place in the queue.
 *   <li><b>HND-4</b> A grant that was handed over MUST last for the claim, at most the ttl, unless it is extended.
 *   <li><b>HND-5</b> A message MUST name the last contended attempt, and no longer wait than there was since that.
 *   <li><b>HND-6</b> A release by a waiter MUST take it out of the queue, or hand over what it was granted, in one atomic step.
 *   <li><b>HND-7</b> A place that has expired MUST NOT be granted the lock.
 *   <li><b>HND-8</b> A waiter that cannot be told MUST NOT hold up the others for longer than its claim.
 * </ul>
 */
public interface HandOver {

    /**
     * Asks to be told of a grant. Does not block and does not throw; if the store cannot be reached, the subscription becomes
     * active later or never. Wakes the waiter whenever it becomes active.
     *
     * @param key the key
     * @param lockId the lock id of the waiter
     * @param heir what to tell
     * @return the subscription, to be closed
     */
    Subscription subscribe(LockKey key, LockId lockId, Heir heir);

    /**
     * Returns whether a subscription would be active at once, so that already the first attempt can have a place.
     *
     * @param key the key
     * @return whether this process listens for grants of the key
     */
    boolean isListening(LockKey key);

    /** A waiter. Its methods are quick and throw nothing; they run on any thread, possibly within {@code subscribe}. */
    interface Heir {

        /** It is worth asking the store now. */
        void wake();

        /**
         * The lock was handed over to this waiter.
         *
         * @param message the grant
         */
        void granted(Message message);
    }

    /**
     * Where a contended attempt queues.
     *
     * @param attempt which attempt of its lock id this is; each one has another number
     * @param patienceMs how long the place lasts unless the attempt is repeated
     * @param claimMs how long a grant lasts unless it is extended, at most the ttl
     */
    record Place(long attempt, long patienceMs, long claimMs) {}

    /**
     * That a waiter was granted the lock.
     *
     * @param attempt the last contended attempt
     * @param fence the fence of the grant
     * @param expiresAtMs when it expires, by the backend's time authority
     * @param claimMs how long that is from the grant
     * @param waitedMs how long before the grant the attempt was answered, by the backend's clock; it may be 0
     */
    record Message(long attempt, Fence fence, long expiresAtMs, long claimMs, long waitedMs) {}
}
