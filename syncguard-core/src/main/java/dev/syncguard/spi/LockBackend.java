package dev.syncguard.spi;

import dev.syncguard.AbortSignal;
import dev.syncguard.Capabilities;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import java.time.Duration;
import java.util.Optional;

/**
 * A store that keeps locks. Applications use it through {@link dev.syncguard.SyncGuard}.
 *
 * <p>Every operation is one attempt and, seen from other clients, one atomic step. Contention and absence are outcomes; a
 * store that fails is a {@link LockException} whose code says how, and whose {@link LockException#outcomeUnknown()} says
 * whether the step may have happened all the same. Operations are safe to call from any thread.
 *
 * @implSpec
 * <ul>
 *   <li><b>ERR-1</b> Failures of the store MUST be thrown as {@link LockException} with the matching code.
 *   <li><b>ERR-2</b> A failure after which the step may have happened MUST say {@code outcomeUnknown}.
 *   <li><b>CAN-1</b> A signal that is aborted before the request is sent MUST give {@link Code#ABORTED} and no I/O.
 *   <li><b>CAN-2</b> Operations MUST work while the thread's interrupt flag is set, and keep the flag.
 * </ul>
 */
public interface LockBackend extends AutoCloseable {

    /**
     * Returns what this backend is and can do.
     *
     * @return the capabilities, always the same
     */
    Capabilities capabilities();

    /**
     * Returns how long one operation may take before it fails with {@link Code#NETWORK_TIMEOUT}.
     *
     * @return the command timeout, 1 ms to 1 day; a guard refuses a backend with another one
     */
    default Duration commandTimeout() {
        return Duration.ofSeconds(2);
    }

    /**
     * Draws the identity of a grant. The only source of lock ids.
     *
     * @param key the key that will be locked
     * @return a new lock id
     * @implSpec
     *     <ul>
     *       <li><b>ACQ-8</b> Lock ids MUST be drawn from a cryptographic random generator with at least 123 bits.
     *       <li><b>ACQ-11</b> A lock id that a backend draws MUST NOT begin with {@code -}.
     *       <li><b>ACQ-12</b> Every operation MUST accept every well-formed lock id, whatever its first character.
     *     </ul>
     */
    default LockId newLockId(LockKey key) {
        return LockIds.random();
    }

    /**
     * Tries once to get a lock.
     *
     * @param request what to lock, under which identity, for how long
     * @param signal cancels before the request is sent
     * @return granted or contended
     * @implSpec
     * <ul>
     *   <li><b>ACQ-1</b> MUST grant a free key in one atomic step that stores owner, expiry and fence together.
     *   <li><b>ACQ-2</b> MUST refuse a key that another lock id holds live, tolerance included.
     *   <li><b>ACQ-3</b> MUST answer a repetition with the lock id of a strictly live lock with its stored grant and the
     *       time that remains.
     *   <li><b>ACQ-4</b> MUST refuse a lock id that holds another key, with {@link Code#INTERNAL}, writing nothing.
     *   <li><b>ACQ-5</b> MUST return the expiry by the backend's own time authority.
     *   <li><b>FNC-1</b> The fence MUST be higher than that of every earlier grant of the key.
     *   <li><b>FNC-5</b> A damaged or used-up counter MUST fail with {@link Code#INTERNAL} before anything is written.
     * </ul>
     */
    AcquireOutcome acquire(AcquireRequest request, AbortSignal signal);

    /**
     * Releases the lock that {@code lockId} holds, if it is still live.
     *
     * <p>Safe to call at any time: a lock that expired, was released before or never existed gives {@code NOT_FOUND} or
     * {@code EXPIRED}, and no other client's lock is touched.
     *
     * @param request whose lock to release
     * @param signal cancels before the request is sent
     * @return what was found
     * @implSpec
     * <ul>
     *   <li><b>REL-1</b> MUST resolve the key, check ownership and liveness, and delete in one atomic step.
     *   <li><b>REL-2</b> MUST compare the stored lock id with that of the request inside that step (ADR-003).
     *   <li><b>REL-3</b> At most one release of a grant MUST succeed.
     *   <li><b>REL-4</b> MUST NOT delete the fence counter, nor give it a time to live.
     * </ul>
     */
    ReleaseOutcome release(ReleaseRequest request, AbortSignal signal);

    /**
     * Releases the lock of a lock id whose key the caller does not know.
     *
     * @param lockId the lock id
     * @param signal cancels before the request is sent
     * @return as {@link #release(ReleaseRequest, AbortSignal)}
     */
    default ReleaseOutcome release(LockId lockId, AbortSignal signal) {
        return release(new ReleaseRequest(lockId, null), signal);
    }

    /**
     * Extends a live lock.
     *
     * @param request whose lock to extend, by how much, and whether that may shorten it
     * @param signal cancels before the request is sent
     * @return the new expiry, or why nothing was changed
     * @implSpec
     * <ul>
     *   <li><b>EXT-1</b> With {@code REPLACE} MUST set the expiry to the backend's time plus the ttl, in one atomic step.
     *   <li><b>EXT-2</b> MUST NOT extend a lock whose expiry has passed, not even within the tolerance.
     *   <li><b>EXT-3</b> MUST compare the stored lock id with that of the request inside that step.
     *   <li><b>EXT-4</b> MUST NOT change fence, key or acquisition time.
     *   <li><b>EXT-7</b> With {@code AT_LEAST} MUST set the expiry to the later of the stored one and the backend's time plus
     *       the ttl, in one atomic step.
     *   <li><b>EXT-8</b> MUST return the stored expiry and the time that remains until it.
     * </ul>
     */
    ExtendOutcome extend(ExtendRequest request, AbortSignal signal);

    /**
     * Makes the lock of a lock id, whose key the caller does not know, expire {@code ttl} from now.
     *
     * @param lockId the lock id
     * @param ttl the new time to live; it replaces what is left of the old one
     * @param signal cancels before the request is sent
     * @return as {@link #extend(ExtendRequest, AbortSignal)}
     */
    default ExtendOutcome extend(LockId lockId, Ttl ttl, AbortSignal signal) {
        return extend(new ExtendRequest(lockId, null, ttl, ExtendRequest.Mode.REPLACE), signal);
    }

    /**
     * Returns whether a key is locked.
     *
     * @param key the key
     * @param signal cancels before the request is sent
     * @return whether a live lock exists, tolerance included
     * @implSpec <b>LCK-1</b> MUST be true exactly for a live lock. <b>LCK-2</b> MUST NOT change a live lock.
     */
    boolean isLocked(LockKey key, AbortSignal signal);

    /**
     * Finds the live lock of a key.
     *
     * @param key the key
     * @param signal cancels before the request is sent
     * @return the lock, or empty if there is none or it has expired
     * @implSpec <b>LKP-1</b> MUST return the live lock of the key. <b>LKP-3</b> MUST NOT change anything.
     */
    Optional<StoredLock> findByKey(LockKey key, AbortSignal signal);

    /**
     * Finds the live lock of a lock id. For diagnostics: never decide on it whether to release or extend.
     *
     * @param lockId the lock id
     * @param signal cancels before the request is sent
     * @return the lock, or empty if there is none or it has expired
     * @implSpec <b>LKP-2</b> MUST verify that the lock found still carries {@code lockId}.
     */
    Optional<StoredLock> findById(LockId lockId, AbortSignal signal);

    /**
     * Raises the fence counter of a key so that the next fence is higher than {@code atLeast}: the repair after the store
     * lost data.
     *
     * @param key the key
     * @param atLeast the highest fence that may have been granted
     * @param signal cancels before the request is sent
     * @return where the counter stands now; higher than asked if it stood higher
     * @implSpec <b>FNC-6</b> MUST NOT lower the counter.
     */
    Fence raiseFence(LockKey key, Fence atLeast, AbortSignal signal);

    /**
     * Returns the operations without blocking threads, if the store's driver can do that itself.
     *
     * @return native asynchronous operations, or empty: the caller then uses an executor
     */
    default Optional<AsyncLockBackend> async() {
        return Optional.empty();
    }

    /**
     * Returns wake-ups for waiters, if the store can send them.
     *
     * @return release signals, or empty: waiters then poll
     */
    default Optional<ReleaseSignals> releaseSignals() {
        return Optional.empty();
    }

    /**
     * Returns the queues of waiters, if a release on this store can hand the lock over to the first of them.
     *
     * @return the hand-over, or empty: waiters then race for a lock that was released
     */
    default Optional<HandOver> handOver() {
        return Optional.empty();
    }

    /**
     * Returns the list of live locks, if the store can give it.
     *
     * @return the listing
     */
    default Optional<LockListing> listing() {
        return Optional.empty();
    }

    /**
     * Returns the check of the store's settings, if there is one.
     *
     * @return the diagnostics
     */
    default Optional<StoreDiagnostics> diagnostics() {
        return Optional.empty();
    }

    /**
     * Returns who wants to hear of the life of leases: the guard on this backend sends it their events. Decorators that
     * observe override it; those that do not forward it.
     *
     * @return the observer, or empty
     */
    default Optional<LeaseObserver> leaseObserver() {
        return Optional.empty();
    }

    /** Closes what this backend opened, and leaves open what it was given. Closing twice does nothing. */
    @Override
    void close();
}
