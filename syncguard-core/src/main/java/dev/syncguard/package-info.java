/**
 * Distributed locks with fencing tokens, and leases that know when they are lost: what an application uses.
 *
 * <p>Start at {@link dev.syncguard.SyncGuard}. Every grant is a {@link dev.syncguard.Lease} with a
 * {@link dev.syncguard.Fence}; a holder learns when it lost its lease.
 */
@NullMarked
package dev.syncguard;

import org.jspecify.annotations.NullMarked;
