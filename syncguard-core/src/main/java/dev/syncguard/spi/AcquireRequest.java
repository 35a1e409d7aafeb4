package dev.syncguard.spi;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;

/**
 * One attempt to get a lock.
 *
 * @param key the key
 * @param lockId the identity of the grant, from {@link LockBackend#newLockId}; a repeated attempt uses the same one
 * @param ttl how long the lock lasts unless extended
 * @param willWait whether the caller has an active {@link ReleaseSignals.Subscription} and will wait if refused, so that
 *     the next release must tell it
 */
public record AcquireRequest(LockKey key, LockId lockId, Ttl ttl, boolean willWait) {}
