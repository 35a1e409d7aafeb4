package dev.syncguard.spi;

import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * Operations of several clients got in each other's way and the store gave this one up, changing nothing.
 *
 * <p>Its code is {@link Code#SERVICE_UNAVAILABLE}, or {@link Code#NETWORK_TIMEOUT} if the store gave up waiting for another
 * client, because it is not known whether the key is locked. For an acquire that waits it is ordinary contention: it goes on
 * waiting.
 */
public final class ConflictException extends LockException {

    private static final long serialVersionUID = 1L;

    /** The message without category and key. */
    private final String text;

    /**
     * Creates an exception with {@link Code#SERVICE_UNAVAILABLE}.
     *
     * @param message what happened, without raw identifiers
     * @param cause what the driver threw
     */
    public ConflictException(String message, @Nullable Throwable cause) {
        this(Code.SERVICE_UNAVAILABLE, message, cause);
    }

    /**
     * Creates an exception.
     *
     * @param code what a single attempt reports
     * @param message what happened, without raw identifiers
     * @param cause what the driver threw
     */
    public ConflictException(Code code, String message, @Nullable Throwable cause) {
        this(code, message, cause, null, null);
    }

    private ConflictException(
            Code code, String message, @Nullable Throwable cause, @Nullable LockKey key, @Nullable LockId lockId) {
        super(code, message, cause, false, key, lockId);
        this.text = message;
    }

    @Override
    public LockException about(@Nullable LockKey key, @Nullable LockId lockId) {
        if (key().isPresent() || lockId().isPresent()) {
            return this;
        }
        ConflictException copy = new ConflictException(code(), text, getCause(), key, lockId);
        copy.setStackTrace(getStackTrace());
        return copy;
    }
}
