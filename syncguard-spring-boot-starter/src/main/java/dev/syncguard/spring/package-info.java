/**
 * Locks in Spring applications: {@link dev.syncguard.spring.Locked} and {@link dev.syncguard.spring.ScheduledLock} on methods of
 * beans, {@link dev.syncguard.spring.CurrentLease} inside of them.
 */
@NullMarked
package dev.syncguard.spring;

import org.jspecify.annotations.NullMarked;
