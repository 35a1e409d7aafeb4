package dev.syncguard.internal;

import static dev.syncguard.spi.support.Settings.required;

import dev.syncguard.AbortSignal;
import dev.syncguard.ExtendResult;
import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.LockId;
import dev.syncguard.Ttl;
import dev.syncguard.spi.ExtendRequest.Mode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lease as its holder has it. The guard keeps the {@link HeldLease} behind it and never this object, so that a holder that
 * drops it unreleased can be noticed ({@link LeakDetector}).
 */
final class LeaseHandle implements Lease {

    private final HeldLease lease;

    LeaseHandle(HeldLease lease) {
        this.lease = lease;
    }

    LeaseState state() {
        return lease.state();
    }

    @Override
    public LockId lockId() {
        return state().lockId();
    }

    @Override
    public Fence fence() {
        return state().fence();
    }

    @Override
    public String keyHash() {
        return state().key().hash();
    }

    @Override
    public long expiresAtMs() {
        return state().term().expiresAtMs();
    }

    @Override
    public Duration remaining() {
        return isValid() ? Duration.ofNanos(Math.max(0, state().remainingNanos())) : Duration.ZERO;
    }

    @Override
    public boolean isValid() {
        lease.look();
        return state().isHeld();
    }

    @Override
    public void ensureValid() {
        if (!isValid()) {
            LeaseLostException loss = state().loss(null);
            throw loss != null
                    ? loss
                    : new LeaseLostException(Reason.RELEASED, null, null, state().key(), state().lockId(), null);
        }
    }

    @Override
    public boolean wasLost() {
        lease.look();
        return state().isLost();
    }

    /** Returns the loss of a lease that is over, with what its body gave; null if it was not lost. */
    @Nullable
    LeaseLostException loss(@Nullable Object result) {
        return state().loss(result);
    }

    @Override
    public void onLost(Consumer<LeaseLostException> handler) {
        lease.onLost(required("handler", handler));
    }

    void interruptOnLoss(Runnable interrupt) {
        lease.interruptOnLoss(interrupt);
    }

    @Override
    public ExtendResult extend(Duration ttl, AbortSignal signal) {
        return extend(ttl, Mode.REPLACE, signal);
    }

    @Override
    public ExtendResult extendAtLeast(Duration ttl, AbortSignal signal) {
        return extend(ttl, Mode.AT_LEAST, signal);
    }

    private ExtendResult extend(Duration ttl, Mode mode, AbortSignal signal) {
        Ttl wanted = Ttl.of(ttl);
        required("signal", signal);
        lease.context().inFlight().ensureOpen();
        signal.throwIfAborted();
        return lease.extension().extend(wanted, mode, signal);
    }

    @Override
    public CompletionStage<ExtendResult> extendAsync(Duration ttl, AbortSignal signal) {
        return inStage(signal, () -> lease.extension().extendAsync(Ttl.of(ttl), Mode.REPLACE, signal));
    }

    @Override
    public CompletionStage<ExtendResult> extendAtLeastAsync(Duration ttl, AbortSignal signal) {
        return inStage(signal, () -> lease.extension().extendAsync(Ttl.of(ttl), Mode.AT_LEAST, signal));
    }

    @Override
    public boolean release(AbortSignal signal) {
        required("signal", signal).throwIfAborted();
        return lease.release().release();
    }

    @Override
    public CompletionStage<Boolean> releaseAsync(AbortSignal signal) {
        return inStage(signal, () -> lease.release().releaseAsync());
    }

    @Override
    public void holdAtLeast(Duration minimum) {
        state().holdAtLeast(Ttl.of(minimum));
    }

    @Override
    public void waiveHoldAtLeast() {
        state().waiveMinimum();
    }

    @Override
    public void close() {
        lease.release().close();
    }

    @Override
    public CompletionStage<@Nullable Void> closeAsync() {
        return inStage(AbortSignal.none(), () -> lease.release().closeAsync().thenApply(done -> null));
    }

    /** The body that the lock was held for has failed: it may be tried again at once, if the options say so. */
    void bodyFailed() {
        if (state().options().isReleaseOnFailure()) {
            waiveHoldAtLeast();
        }
    }

    /** Closes a lease that nobody has used: whatever its minimum, the lock goes. */
    CompletionStage<Boolean> closeUnused() {
        waiveHoldAtLeast();
        return closeQuietly();
    }

    /** Closes without the completion executor, for the guard's own use. */
    CompletionStage<Boolean> closeQuietly() {
        return lease.release().closeAsync();
    }

    private <T extends @Nullable Object> CompletionStage<T> inStage(
            AbortSignal signal, Supplier<CompletableFuture<T>> call) {
        try {
            required("signal", signal).throwIfAborted();
            return lease.context().completion().follow(call.get());
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public String toString() {
        return "Lease(" + keyHash() + ", fence " + fence() + ")";
    }
}
