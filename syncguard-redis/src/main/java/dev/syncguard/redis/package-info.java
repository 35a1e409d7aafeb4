/**
 * Locks in Redis and Valkey.
 *
 * <p>Each lock is a JSON text at {@code prefix:key}; {@code prefix:id:lockId} leads from the lock id to it, both end with
 * the lock's ttl; {@code prefix:fence:prefix:key} counts the grants and never ends. Every operation is one script, so it is
 * atomic, and the server's clock alone decides. On a cluster the prefix becomes <code>{prefix:n}</code> with n from 0 to
 * 15, so that the three keys of a lock share a slot and the locks spread.
 */
@NullMarked
package dev.syncguard.redis;

import org.jspecify.annotations.NullMarked;
