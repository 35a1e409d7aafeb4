package dev.syncguard;

import static dev.syncguard.Arguments.required;

import dev.syncguard.LockException.Code;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a lock is waited for and held. Immutable: every method returns new options, so keep them in a constant.
 *
 * <pre>{@code
 * static final LockOptions PATIENT = LockOptions.defaults().ttl(ofSeconds(10)).waitAtMost(ofSeconds(5)).autoExtend();
 * }</pre>
 */
public final class LockOptions {

    private static final Duration SHORTEST_DELAY = Duration.ofMillis(1);
    private static final Duration LONGEST_WAIT = Duration.ofDays(365);
    private static final String HOLD_AT_LEAST = "holdAtLeast is 1 ms to 365 days, in whole milliseconds";
    private static final int DEFAULT_MAX_RETRIES = 10;
    private static final LockOptions DEFAULTS = new LockOptions(new Draft());

    private final Draft values;
    private final RetryPolicy retryPolicy;
    private volatile @Nullable LockOptions single;

    private LockOptions(Draft values) {
        if (values.holdAtMost != null
                && values.holdAtLeast != null
                && values.holdAtMost.compareTo(values.holdAtLeast) < 0) {
            throw new LockException(Code.INVALID_ARGUMENT, "holdAtMost is not shorter than holdAtLeast");
        }
        this.values = values;
        this.retryPolicy = values.retryPolicy();
    }

    /**
     * Returns the defaults of the specification: a ttl of 30 s; 10 polls from 100 ms on, doubling up to 2 s with half of
     * it random, within 5 s; no automatic extension.
     *
     * @return the defaults
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Sets how long a lock lasts unless it is extended.
     *
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @return new options
     */
    public LockOptions ttl(Duration ttl) {
        Ttl checked = Ttl.of(ttl);
        return with(draft -> draft.ttl = checked);
    }

    /**
     * Sets how long an acquire waits, and lifts the limit of 10 polls unless {@link #maxRetries} sets one.
     *
     * @param timeout 0 to 365 days
     * @return new options
     */
    public LockOptions waitAtMost(Duration timeout) {
        check(timeout, Duration.ZERO, "waitAtMost is 0 to 365 days");
        return with(draft -> draft.timeout = timeout);
    }

    /**
     * Sets how many polls may follow the first attempt. Attempts that a release or the holder's expiry causes do not
     * count.
     *
     * @param maxRetries 0 or more; 0 makes one attempt only
     * @return new options
     */
    public LockOptions maxRetries(int maxRetries) {
        if (maxRetries < 0) {
            throw new LockException(Code.INVALID_ARGUMENT, "maxRetries is 0 or more");
        }
        return with(draft -> draft.maxRetries = maxRetries);
    }

    /**
     * Sets the delay before the first poll.
     *
     * @param delay 1 ms to 365 days
     * @return new options
     */
    public LockOptions retryDelay(Duration delay) {
        check(delay, SHORTEST_DELAY, "retryDelay is 1 ms to 365 days");
        return with(draft -> draft.delay = delay);
    }

    /**
     * Sets the longest delay between two polls.
     *
     * @param maxDelay 1 ms to 365 days
     * @return new options
     */
    public LockOptions maxRetryDelay(Duration maxDelay) {
        check(maxDelay, SHORTEST_DELAY, "maxRetryDelay is 1 ms to 365 days");
        return with(draft -> draft.maxDelay = maxDelay);
    }

    /**
     * Sets how the delay between polls grows.
     *
     * @param backoff exponential or fixed
     * @return new options
     */
    public LockOptions backoff(Backoff backoff) {
        Backoff checked = required("backoff", backoff);
        return with(draft -> draft.backoff = checked);
    }

    /**
     * Sets how much of the delay is random.
     *
     * @param jitter equal, full or none
     * @return new options
     */
    public LockOptions jitter(Jitter jitter) {
        Jitter checked = required("jitter", jitter);
        return with(draft -> draft.jitter = checked);
    }

    /**
     * Goes on waiting through transient failures of the store, until the timeout; without it they are thrown at once.
     *
     * @return new options
     */
    public LockOptions retryStoreErrors() {
        return with(draft -> draft.retryStoreErrors = true);
    }

    /**
     * Extends the lock in the background, each time a third of the time it has left has passed, until it is released.
     *
     * @return new options
     */
    public LockOptions autoExtend() {
        return with(draft -> draft.autoExtend = true);
    }

    /**
     * Limits {@link #autoExtend()}: the lock is not renewed beyond this time after it was granted, and expires then, or at its
     * first ttl if that is later. A forgotten lease or a hung body so does not hold it for ever.
     *
     * @param limit 1 ms to 365 days, and not shorter than {@link #holdAtLeast}
     * @return new options
     */
    public LockOptions holdAtMost(Duration limit) {
        check(limit, SHORTEST_DELAY, "holdAtMost is 1 ms to 365 days");
        return with(draft -> draft.holdAtMost = limit);
    }

    /**
     * Keeps the lock locked for at least this time after it was granted, however soon it is released: a job that is started on
     * several machines at about the same time so runs on one of them.
     *
     * <p>A release before that time (by hand, at the end of a block, or by the lock id through this guard) is over for the
     * holder as any other, but lets the lock expire at the end of the minimum instead of removing it. Other clients see an
     * ordinary lock that expires then; so do {@code isLocked}, {@code lookup} and {@code owns}. The minimum survives a crash of the process: the lock is granted for it, or for the
     * {@link #ttl} if that is longer, and renewals never shorten it. Only {@link Lease#extend} to a shorter time does, until
     * the release.
     *
     * @param minimum 1 ms to 365 days, in whole milliseconds, and not longer than {@link #holdAtMost}
     * @return new options
     */
    public LockOptions holdAtLeast(Duration minimum) {
        check(minimum, SHORTEST_DELAY, HOLD_AT_LEAST);
        if (minimum.toNanosPart() % 1_000_000 != 0) {
            throw new LockException(Code.INVALID_ARGUMENT, HOLD_AT_LEAST);
        }
        return with(draft -> draft.holdAtLeast = minimum);
    }

    /**
     * Releases at once if the body of {@code run} or {@code call} fails, whatever {@link #holdAtLeast} says, so that it can be
     * tried again. A body that has released its lease itself is not affected. For {@code acquire} there is
     * {@link Lease#waiveHoldAtLeast()}.
     *
     * @return new options
     */
    public LockOptions releaseOnFailure() {
        return with(draft -> draft.releaseOnFailure = true);
    }

    /**
     * Interrupts the thread of a body of {@code run} or {@code call} when its lease is lost. The interrupt never outlives the
     * body. An interrupt by the application does, unless it comes after that of the loss and before the body has ended: a
     * thread has one flag, and the two cannot be told apart then.
     *
     * @return new options
     */
    public LockOptions interruptOnLoss() {
        return with(draft -> draft.interruptOnLoss = true);
    }

    /**
     * Sets what to do when a lease is lost while it is held. Runs once, on the completion executor.
     *
     * @param handler gets the loss; its message is safe to log
     * @return new options
     */
    public LockOptions onLost(Consumer<LeaseLostException> handler) {
        Consumer<LeaseLostException> checked = required("onLost", handler);
        return with(draft -> draft.onLost = checked);
    }

    /**
     * Sets what to do when the release at the end of a lease fails, instead of what the guard does.
     *
     * @param handler gets the failure; its message is safe to log
     * @return new options
     */
    public LockOptions onReleaseError(Consumer<LockException> handler) {
        Consumer<LockException> checked = required("onReleaseError", handler);
        return with(draft -> draft.onReleaseError = checked);
    }

    /**
     * Returns how long a lock lasts.
     *
     * @return the ttl
     */
    public Ttl ttl() {
        return values.ttl;
    }

    /**
     * Returns how a waiting acquire polls.
     *
     * @return the effective policy
     */
    public RetryPolicy retryPolicy() {
        return retryPolicy;
    }

    /**
     * Returns whether locks are extended in the background.
     *
     * @return whether {@link #autoExtend()} was set
     */
    public boolean isAutoExtend() {
        return values.autoExtend;
    }

    /**
     * Returns how long a lock is renewed at most.
     *
     * @return the limit, if {@link #holdAtMost(Duration)} was set
     */
    public Optional<Duration> holdAtMost() {
        return Optional.ofNullable(values.holdAtMost);
    }

    /**
     * Returns how long a lock stays locked at least.
     *
     * @return the minimum, if {@link #holdAtLeast(Duration)} was set
     */
    public Optional<Duration> holdAtLeast() {
        return Optional.ofNullable(values.holdAtLeast);
    }

    /**
     * Returns whether a body that fails releases at once.
     *
     * @return whether {@link #releaseOnFailure()} was set
     */
    public boolean isReleaseOnFailure() {
        return values.releaseOnFailure;
    }

    /**
     * Returns whether a body is interrupted when its lease is lost.
     *
     * @return whether {@link #interruptOnLoss()} was set
     */
    public boolean isInterruptOnLoss() {
        return values.interruptOnLoss;
    }

    /**
     * Returns what is done when a lease is lost.
     *
     * @return the handler, if one was set
     */
    public Optional<Consumer<LeaseLostException>> onLost() {
        return Optional.ofNullable(values.onLost);
    }

    /**
     * Returns what is done when a release fails.
     *
     * @return the handler, if one was set
     */
    public Optional<Consumer<LockException>> onReleaseError() {
        return Optional.ofNullable(values.onReleaseError);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockOptions that && values.toList().equals(that.values.toList());
    }

    @Override
    public int hashCode() {
        return values.toList().hashCode();
    }

    /** Returns the settings, without the handlers. */
    @Override
    public String toString() {
        return "LockOptions[ttl=" + Duration.ofMillis(ttl().millis()) + ", " + retryPolicy
                + (values.autoExtend ? ", autoExtend" : "")
                + (values.holdAtMost == null ? "" : ", holdAtMost=" + values.holdAtMost)
                + (values.holdAtLeast == null ? "" : ", holdAtLeast=" + values.holdAtLeast)
                + (values.releaseOnFailure ? ", releaseOnFailure" : "")
                + (values.interruptOnLoss ? ", interruptOnLoss" : "")
                + "]";
    }

    /** Returns the same options for a single attempt. */
    LockOptions once() {
        return retryPolicy.maxRetries() == 0 ? this : single();
    }

    private LockOptions single() {
        LockOptions result = single;
        if (result == null) {
            result = maxRetries(0);
            single = result;
        }
        return result;
    }

    private static void check(Duration duration, Duration shortest, String allowed) {
        if (duration == null || duration.compareTo(shortest) < 0 || duration.compareTo(LONGEST_WAIT) > 0) {
            throw new LockException(Code.INVALID_ARGUMENT, allowed);
        }
    }

    private LockOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(values);
        change.accept(draft);
        return new LockOptions(draft);
    }

    /** The values while they are put together; never changed after that. */
    private static final class Draft {
        private Ttl ttl = Ttl.DEFAULT;
        private @Nullable Duration timeout;
        private @Nullable Integer maxRetries;
        private Duration delay = Duration.ofMillis(100);
        private Duration maxDelay = Duration.ofSeconds(2);
        private Backoff backoff = Backoff.EXPONENTIAL;
        private Jitter jitter = Jitter.EQUAL;
        private boolean retryStoreErrors;
        private boolean autoExtend;
        private @Nullable Duration holdAtMost;
        private @Nullable Duration holdAtLeast;
        private boolean releaseOnFailure;
        private boolean interruptOnLoss;
        private @Nullable Consumer<LeaseLostException> onLost;
        private @Nullable Consumer<LockException> onReleaseError;

        Draft() {}

        Draft(Draft other) {
            ttl = other.ttl;
            timeout = other.timeout;
            maxRetries = other.maxRetries;
            delay = other.delay;
            maxDelay = other.maxDelay;
            backoff = other.backoff;
            jitter = other.jitter;
            retryStoreErrors = other.retryStoreErrors;
            autoExtend = other.autoExtend;
            holdAtMost = other.holdAtMost;
            holdAtLeast = other.holdAtLeast;
            releaseOnFailure = other.releaseOnFailure;
            interruptOnLoss = other.interruptOnLoss;
            onLost = other.onLost;
            onReleaseError = other.onReleaseError;
        }

        /** What two options have in common if they are equal; handlers count by identity. */
        List<@Nullable Object> toList() {
            return Arrays.asList(
                    ttl,
                    timeout,
                    maxRetries,
                    delay,
                    maxDelay,
                    backoff,
                    jitter,
                    retryStoreErrors,
                    autoExtend,
                    holdAtMost,
                    holdAtLeast,
                    releaseOnFailure,
                    interruptOnLoss,
                    onLost,
                    onReleaseError);
        }

        RetryPolicy retryPolicy() {
            int unlessSet = timeout == null ? DEFAULT_MAX_RETRIES : Integer.MAX_VALUE;
            return new RetryPolicy(
                    timeout == null ? Duration.ofSeconds(5) : timeout,
                    maxRetries == null ? unlessSet : maxRetries,
                    delay,
                    maxDelay,
                    backoff,
                    jitter,
                    retryStoreErrors);
        }
    }
}
