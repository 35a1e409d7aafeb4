package dev.syncguard;

/**
 * A live lock as diagnostics show it: hashes instead of identifiers, so that it can be logged as it is.
 *
 * @param keyHash the hash of the key
 * @param lockIdHash the hash of the lock id
 * @param acquiredAtMs when it was granted, in milliseconds since the epoch by the store's clock
 * @param expiresAtMs when it expires unless extended, likewise
 * @param fence the fence of the grant
 */
public record LockInfo(String keyHash, String lockIdHash, long acquiredAtMs, long expiresAtMs, Fence fence) {}
