/**
 * The other half of fencing: the resource refuses a writer whose fence is older than one that it has seen.
 *
 * <p>{@link dev.syncguard.fence.FenceGuard} is the contract. Every guard compares and advances in one atomic step, as part of
 * the protected write, so that the order of the writes decides. {@link dev.syncguard.fence.MemoryFenceGuard} protects what
 * lives in this process; the modules for JDBC, Redis, Firestore and HTTP have guards for what lives there.
 */
@NullMarked
package dev.syncguard.fence;

import org.jspecify.annotations.NullMarked;
