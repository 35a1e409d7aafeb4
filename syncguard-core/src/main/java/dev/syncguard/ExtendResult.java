package dev.syncguard;

/**
 * The result of an extension.
 *
 * @param ok whether the lock was live and is extended
 * @param expiresAtMs when it expires now by the store's clock, in milliseconds since the epoch; 0 if it was not extended
 */
public record ExtendResult(boolean ok, long expiresAtMs) {

    /** The lock had expired or was gone; nothing was changed. */
    public static final ExtendResult NOT_EXTENDED = new ExtendResult(false, 0);
}
