package dev.syncguard;

/**
 * The result of {@code tryAcquire}: a {@link Lease} or {@link Contended}.
 *
 * <pre>{@code
 * if (guard.tryAcquire("invoice:42") instanceof Lease lease) {
 *     try (lease) {
 *         charge(invoice, lease.fence());
 *     }
 * }
 * }</pre>
 */
public sealed interface AcquireResult permits Lease, Contended {}
