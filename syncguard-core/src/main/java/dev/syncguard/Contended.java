package dev.syncguard;

import java.time.Duration;

/**
 * Somebody else holds the lock.
 *
 * @param grantableIn how long until the lock can be granted at the latest if its holder does nothing more, as the store
 *     sees it now
 */
public record Contended(Duration grantableIn) implements AcquireResult {}
