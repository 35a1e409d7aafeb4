package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.AcquireResult;
import dev.syncguard.Contended;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockOptions;
import dev.syncguard.LockedFunction;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The verbs that get a lock, on the caller's thread and without one. */
public final class Acquiring {

    private final Guard guard;

    Acquiring(Guard guard) {
        this.guard = guard;
    }

    /**
     * Waits for a lock on the caller's thread.
     *
     * @param key the raw key
     * @param options how to wait and hold
     * @param signal cancels
     * @return the lease
     */
    public Lease acquire(String key, LockOptions options, AbortSignal signal) {
        return hold(key, options, signal);
    }

    private HeldLease hold(String key, LockOptions options, AbortSignal signal) {
        return new BlockingAcquire(guard, guard.key(key), options, signal).await();
    }

    /**
     * Waits for a lock, does something, and releases it whatever happens.
     *
     * @param key the raw key
     * @param options how to wait and hold
     * @param signal cancels the wait
     * @param body what to do
     * @param <T> its result
     * @param <X> what it throws
     * @return the result of the body
     * @throws X what the body threw
     */
    public <T extends @Nullable Object, X extends Exception> T call(
            String key, LockOptions options, AbortSignal signal, LockedFunction<T, X> body) throws X {
        HeldLease lease = hold(key, options, signal);
        T result;
        try {
            result = body.apply(lease);
        } catch (Throwable thrown) {
            lease.close();
            LeaseLostException loss = lease.loss(null);
            if (loss != null) {
                thrown.addSuppressed(loss);
            }
            throw thrown;
        }
        lease.close();
        LeaseLostException loss = lease.loss(result);
        if (loss != null) {
            throw loss;
        }
        return result;
    }

    /**
     * Waits for a lock, does something, and releases it whatever happens, all without a thread.
     *
     * @param key the raw key
     * @param options how to wait and hold
     * @param signal cancels the wait
     * @param body what to do
     * @param <T> its result
     * @return the result of the body, later
     */
    public <T extends @Nullable Object> CompletionStage<T> callAsync(
            String key, LockOptions options, AbortSignal signal, Function<Lease, CompletionStage<T>> body) {
        CompletableFuture<HeldLease> acquiring = holdAsync(key, options, signal);
        return new AsyncCall<>(acquiring, body).start();
    }

    /**
     * Waits for a lock without a thread.
     *
     * @param key the raw key
     * @param options how to wait and hold
     * @param signal cancels
     * @return the lease, later
     */
    public CompletionStage<? extends Lease> acquireAsync(String key, LockOptions options, AbortSignal signal) {
        return holdAsync(key, options, signal);
    }

    private CompletableFuture<HeldLease> holdAsync(String key, LockOptions options, AbortSignal signal) {
        return new AsyncAcquire(guard, guard.key(key), options, signal).start();
    }

    /**
     * Tries once on the caller's thread.
     *
     * @param key the raw key
     * @param options how to hold
     * @param signal cancels
     * @return the lease, or that somebody else has the lock
     */
    public AcquireResult tryAcquire(String key, LockOptions options, AbortSignal signal) {
        Acquisition acquisition = new Acquisition(guard, guard.key(key), options);
        acquisition.throwIfCancelled(signal);
        AcquireOutcome outcome;
        try {
            outcome = guard.store().acquire(acquisition.request(false), signal);
        } catch (LockException e) {
            throw acquisition.failed(e);
        }
        if (outcome instanceof Granted granted) {
            HeldLease lease = acquisition.admit(granted);
            if (acquisition.isCancelled(signal)) {
                lease.close();
                throw acquisition.aborted();
            }
            return lease;
        }
        return contended((Refused) outcome);
    }

    /**
     * Tries once without a thread.
     *
     * @param key the raw key
     * @param options how to hold
     * @param signal cancels
     * @return the result, later
     */
    public CompletionStage<AcquireResult> tryAcquireAsync(String key, LockOptions options, AbortSignal signal) {
        Acquisition acquisition = new Acquisition(guard, guard.key(key), options);
        CompletableFuture<AcquireResult> result = new CompletableFuture<>();
        guard.store().acquireAsync(acquisition.request(false), signal).whenComplete((outcome, failure) -> {
            try {
                if (failure != null) {
                    throw acquisition.failed(Store.translate(failure, acquisition.key(), null));
                }
                if (outcome instanceof Refused refused) {
                    result.complete(contended(refused));
                    return;
                }
                HeldLease lease = acquisition.admit((Granted) outcome);
                if (signal.isAborted() || !result.complete(lease)) {
                    lease.closeAsync()
                            .whenComplete((closed, impossible) -> result.completeExceptionally(acquisition.aborted()));
                }
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static Contended contended(Refused refused) {
        return new Contended(Duration.ofMillis(refused.grantableInMs()));
    }
}
