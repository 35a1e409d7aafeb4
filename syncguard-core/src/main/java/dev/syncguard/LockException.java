package dev.syncguard;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A lock operation failed for another reason than contention.
 *
 * <p>Contention and absence are results, not exceptions; only a waiting acquire that runs out of time throws (see
 * {@link AcquisitionTimeoutException}). The message is safe to log: it names the key by its hash. The raw key and lock id
 * are behind {@link #key()} and {@link #lockId()}.
 */
public class LockException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What went wrong, in the categories of the specification. */
    public enum Code {
        /** The store cannot be reached or cannot serve now. */
        SERVICE_UNAVAILABLE("ServiceUnavailable", true),
        /** The store refused the credentials or the permission. */
        AUTH_FAILED("AuthFailed", false),
        /** An argument is not allowed; nothing was sent to the store. */
        INVALID_ARGUMENT("InvalidArgument", false),
        /** The store or a pool in front of it is at its limit. */
        RATE_LIMITED("RateLimited", true),
        /** The store did not answer in time. */
        NETWORK_TIMEOUT("NetworkTimeout", true),
        /** A waiting acquire did not get the lock in time. */
        ACQUISITION_TIMEOUT("AcquisitionTimeout", false),
        /** The caller cancelled, by signal, interrupt or by cancelling the stage. */
        ABORTED("Aborted", false),
        /** Anything else: damaged data in the store, a lost lease, a bug. */
        INTERNAL("Internal", false);

        private final String specName;
        private final boolean isTransient;

        Code(String specName, boolean isTransient) {
            this.specName = specName;
            this.isTransient = isTransient;
        }

        /**
         * Returns the name that the specification and the other languages use, for example {@code NetworkTimeout}.
         *
         * @return the name in the specification
         */
        public String specName() {
            return specName;
        }

        /**
         * Returns whether the same call may well succeed a little later.
         *
         * @return whether the cause usually passes by itself
         */
        public boolean isTransient() {
            return isTransient;
        }
    }

    /** The category. */
    private final Code code;

    /** Whether the store may have executed the operation all the same. */
    private final boolean outcomeUnknown;

    private final transient @Nullable LockKey key;
    private final transient @Nullable LockId lockId;

    /**
     * Creates an exception without a cause.
     *
     * @param code the category
     * @param message what happened and what to do, without raw identifiers
     */
    public LockException(Code code, String message) {
        this(code, message, null);
    }

    /**
     * Creates an exception for a failure that certainly changed nothing in the store.
     *
     * @param code the category
     * @param message what happened and what to do, without raw identifiers
     * @param cause what the driver threw
     */
    public LockException(Code code, String message, @Nullable Throwable cause) {
        this(code, message, cause, false);
    }

    /**
     * Creates an exception.
     *
     * @param code the category
     * @param message what happened and what to do, without raw identifiers
     * @param cause what the driver threw
     * @param outcomeUnknown whether the store may have executed the operation all the same
     */
    public LockException(Code code, String message, @Nullable Throwable cause, boolean outcomeUnknown) {
        this(code, message, cause, outcomeUnknown, null, null);
    }

    /**
     * Creates an exception about a key or a lock id.
     *
     * @param code the category
     * @param message what happened and what to do, without raw identifiers
     * @param cause what the driver threw
     * @param outcomeUnknown whether the store may have executed the operation all the same
     * @param key the key, for {@link #key()}; the message shows its hash
     * @param lockId the lock id, for {@link #lockId()}
     */
    protected LockException(
            Code code,
            String message,
            @Nullable Throwable cause,
            boolean outcomeUnknown,
            @Nullable LockKey key,
            @Nullable LockId lockId) {
        super(message, cause);
        this.code = code;
        this.outcomeUnknown = outcomeUnknown;
        this.key = key;
        this.lockId = lockId;
    }

    /**
     * Returns this failure with the key and the lock id that it is about, where they are not known yet.
     *
     * @param key the key, or null if the operation had none
     * @param lockId the lock id, or null if the operation had none
     * @return this exception, or a copy with the same cause and stack trace
     */
    public LockException about(@Nullable LockKey key, @Nullable LockId lockId) {
        if (this.key != null || this.lockId != null || getClass() != LockException.class) {
            return this;
        }
        String message = super.getMessage();
        LockException copy =
                new LockException(code, message == null ? "" : message, getCause(), outcomeUnknown, key, lockId);
        copy.setStackTrace(getStackTrace());
        for (Throwable suppressed : getSuppressed()) {
            copy.addSuppressed(suppressed);
        }
        return copy;
    }

    /**
     * Returns this failure with a further part of its message.
     *
     * @param advice what happens next or what to do, without raw identifiers
     * @return a copy with the same cause and stack trace
     */
    public LockException withAdvice(String advice) {
        LockException copy =
                new LockException(code, super.getMessage() + "; " + advice, getCause(), outcomeUnknown, key, lockId);
        copy.setStackTrace(getStackTrace());
        return copy;
    }

    /**
     * Returns the category.
     *
     * @return the code
     */
    public Code code() {
        return code;
    }

    /**
     * Returns whether the store may have executed the operation although it failed here.
     *
     * <p>After a failed acquire the library releases what may have been granted, in the background.
     *
     * @return whether the outcome in the store is not known
     */
    public boolean outcomeUnknown() {
        return outcomeUnknown;
    }

    /**
     * Returns the raw key that the operation was about. Sensitive: the message has its hash instead.
     *
     * @return the key, if the operation had one
     */
    public Optional<String> key() {
        return Optional.ofNullable(key).map(LockKey::value);
    }

    /**
     * Returns the lock id that the operation was about.
     *
     * @return the lock id, if the operation had one
     */
    public Optional<LockId> lockId() {
        return Optional.ofNullable(lockId);
    }

    /** Returns what happened, with the category and the hash of the key. */
    @Override
    public String getMessage() {
        String about = key == null ? "" : " [key " + key.hash() + "]";
        return code.specName() + ": " + super.getMessage() + about;
    }
}
