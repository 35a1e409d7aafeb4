package dev.syncguard.spi;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * One release.
 *
 * @param lockId the identity of the grant
 * @param key the key that the lock id holds, if the caller knows it: a lease does, a caller with a bare lock id does not.
 *     A store whose data may move (a cluster) finds the lock with it; it never replaces the check of the lock id
 */
public record ReleaseRequest(LockId lockId, @Nullable LockKey key) {}
