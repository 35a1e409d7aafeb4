package dev.syncguard;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A lease was lost before its holder released it: another client may have held the lock meanwhile.
 *
 * <p>Thrown by {@code run} and {@code call} when the body ended normally but too late, and by {@link Lease#ensureValid()};
 * handed to {@link LockOptions#onLost}.
 */
public final class LeaseLostException extends LockException {

    private static final long serialVersionUID = 1L;

    /** How the loss was noticed. */
    public enum Reason {
        /** The local deadline of the lease passed before it was extended or released. */
        EXPIRED("expired"),
        /** The store no longer has the lock under this lock id. */
        GONE("gone"),
        /** The holder released it and went on using it. */
        RELEASED("released");

        private final String specName;

        Reason(String specName) {
            this.specName = specName;
        }

        /**
         * Returns the word for dashboards, in the style of the specification, which knows no losses.
         *
         * @return {@code expired}, {@code gone} or {@code released}
         */
        public String specName() {
            return specName;
        }
    }

    /** How the loss was noticed. */
    private final Reason reason;

    /** What is known about why. */
    private final @Nullable String detail;

    private final transient @Nullable Object result;

    /**
     * Creates the exception.
     *
     * @param reason how the loss was noticed
     * @param detail what is known about why, for the message
     * @param cause the failure that led to the loss, if there was one
     * @param key the key of the lease, where it is known
     * @param lockId the lock id of the lease
     * @param result what the body returned, if it ran to its end
     */
    public LeaseLostException(
            Reason reason,
            @Nullable String detail,
            @Nullable LockException cause,
            @Nullable LockKey key,
            LockId lockId,
            @Nullable Object result) {
        super(Code.INTERNAL, describe(reason, detail), cause, false, key, lockId);
        this.reason = reason;
        this.detail = detail;
        this.result = result;
    }

    private static String describe(Reason reason, @Nullable String detail) {
        return switch (reason) {
            case EXPIRED ->
                detail == null
                        ? "the lease expired before its holder was done; use a longer ttl or autoExtend"
                        : "the lease expired before its holder was done: " + detail;
            case GONE ->
                "the store no longer holds this lock: it expired there and may be held by another client, was released by"
                        + " its lock id, or the store lost data" + (detail == null ? "" : "; " + detail);
            case RELEASED -> "the lease was used after its release";
        };
    }

    /**
     * Returns how the loss was noticed.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }

    /**
     * Returns what is known about why the lease was lost, for example for how long renewals had been failing. Part of the
     * message, and safe to log.
     *
     * @return the detail, if more is known than the reason says
     */
    public Optional<String> detail() {
        return Optional.ofNullable(detail);
    }

    /**
     * Returns what the body of {@code call} returned although the lease was lost.
     *
     * @return the result, if the body ended normally with one
     */
    public Optional<Object> result() {
        return Optional.ofNullable(result);
    }
}
