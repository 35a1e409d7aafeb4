package dev.syncguard;

import java.time.Duration;

/**
 * The lock was not granted: another client holds it, or the wait was over before the store could be asked.
 *
 * @param grantableIn how long until the lock can be granted at the latest if its holder does nothing more, as the store
 *     saw it at the last attempt; zero if there was time for none
 */
public record Contended(Duration grantableIn) implements AcquireResult {}
