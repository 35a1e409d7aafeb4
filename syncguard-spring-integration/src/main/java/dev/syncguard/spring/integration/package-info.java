/**
 * Spring Integration's locks on a guard: {@link dev.syncguard.spring.integration.SyncGuardLockRegistry} for aggregators,
 * leader election and {@code executeLocked}.
 */
@NullMarked
package dev.syncguard.spring.integration;

import org.jspecify.annotations.NullMarked;
