package dev.syncguard;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A waiting acquire did not get the lock within its timeout or its number of retries. */
public final class AcquisitionTimeoutException extends LockException {

    private static final long serialVersionUID = 1L;

    /** How often the store was asked. */
    private final int attempts;

    /** How long the call waited. */
    private final Duration elapsed;

    /**
     * Creates the exception.
     *
     * @param key the contended key
     * @param attempts how often the store was asked by this call
     * @param elapsed how long the call waited
     * @param lastFailure how the store failed last, if the call waited through failures
     */
    public AcquisitionTimeoutException(
            LockKey key, int attempts, Duration elapsed, @Nullable LockException lastFailure) {
        super(Code.ACQUISITION_TIMEOUT, describe(attempts, elapsed), lastFailure, false, key, null);
        this.attempts = attempts;
        this.elapsed = elapsed;
    }

    private static String describe(int attempts, Duration elapsed) {
        if (attempts == 0) {
            return "the store was not asked within " + elapsed.toMillis()
                    + " ms (0 attempts), because earlier requests of"
                    + " this guard are not answered or occupy its threads; see whether the store is slow, or allow more"
                    + " with SyncGuardBuilder.threads";
        }
        return "the lock was not free within " + elapsed.toMillis() + " ms (" + attempts
                + " attempts); wait longer with LockOptions.waitAtMost, or look who holds it with lookup";
    }

    /**
     * Returns how often this call asked the store; requests of other callers in the queue of the key do not count.
     *
     * @return the number of attempts; 0 only if unanswered requests of other callers, or a lack of threads, left no time for one
     */
    public int attempts() {
        return attempts;
    }

    /**
     * Returns how long this call waited.
     *
     * @return the time from the call to the failure
     */
    public Duration elapsed() {
        return elapsed;
    }
}
