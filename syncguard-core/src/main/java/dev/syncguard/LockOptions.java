package dev.syncguard;

import dev.syncguard.LockException.Code;
import dev.syncguard.spi.Ttl;
import java.time.Duration;
import java.util.Objects;
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
    private static final int DEFAULT_MAX_RETRIES = 10;
    private static final LockOptions DEFAULTS = new LockOptions(new Draft());

    private final Draft values;
    private final RetryPolicy retryPolicy;

    private LockOptions(Draft values) {
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
        Objects.requireNonNull(backoff, "backoff");
        return with(draft -> draft.backoff = backoff);
    }

    /**
     * Sets how much of the delay is random.
     *
     * @param jitter equal, full or none
     * @return new options
     */
    public LockOptions jitter(Jitter jitter) {
        Objects.requireNonNull(jitter, "jitter");
        return with(draft -> draft.jitter = jitter);
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
     * Extends the lock in the background, each time a third of its ttl has passed, until it is released.
     *
     * @return new options
     */
    public LockOptions autoExtend() {
        return with(draft -> draft.autoExtend = true);
    }

    /**
     * Sets what to do when a lease is lost while it is held. Runs once, on a thread of the guard.
     *
     * @param handler gets the loss; its message is safe to log
     * @return new options
     */
    public LockOptions onLost(Consumer<LeaseLostException> handler) {
        Objects.requireNonNull(handler, "handler");
        return with(draft -> draft.onLost = handler);
    }

    /**
     * Sets what to do when the release at the end of a lease fails, instead of what the guard does.
     *
     * @param handler gets the failure; its message is safe to log
     * @return new options
     */
    public LockOptions onReleaseError(Consumer<LockException> handler) {
        Objects.requireNonNull(handler, "handler");
        return with(draft -> draft.onReleaseError = handler);
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
     * @return the policy that these options add up to
     */
    public RetryPolicy retryPolicy() {
        return retryPolicy;
    }

    /**
     * Tells whether locks are extended in the background.
     *
     * @return whether {@link #autoExtend()} was set
     */
    public boolean isAutoExtend() {
        return values.autoExtend;
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
            onLost = other.onLost;
            onReleaseError = other.onReleaseError;
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
