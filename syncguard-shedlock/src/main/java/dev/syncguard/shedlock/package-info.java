/**
 * ShedLock on any SyncGuard store: {@link dev.syncguard.shedlock.SyncGuardLockProvider} is the bean that changes,
 * {@link dev.syncguard.shedlock.JobLease} gives a job its lease and fence.
 */
@NullMarked
package dev.syncguard.shedlock;

import org.jspecify.annotations.NullMarked;
