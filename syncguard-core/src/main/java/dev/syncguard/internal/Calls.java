package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.AcquireResult;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.LockedFunction;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The verbs that get a lock, on the caller's thread and without one. */
public final class Calls {

    private final AcquireContext context;

    Calls(AcquireContext context) {
        this.context = context;
    }

    /** Waits for a lock on the caller's thread. */
    public Lease acquire(LockKey key, LockOptions options, AbortSignal signal) {
        return hold(key, options, signal);
    }

    private LeaseHandle hold(LockKey key, LockOptions options, AbortSignal signal) {
        return (LeaseHandle) new BlockingAcquire(context, key, options, signal, false).await();
    }

    /** Waits as long as the options say, and answers with contention instead of throwing. */
    public AcquireResult tryAcquire(LockKey key, LockOptions options, AbortSignal signal) {
        return new BlockingAcquire(context, key, options, signal, true).await();
    }

    /** Waits for a lock without a thread. */
    @SuppressWarnings("unchecked") // every result is a lease where contention is none
    public CompletionStage<Lease> acquireAsync(LockKey key, LockOptions options, AbortSignal signal) {
        CompletionStage<?> lease = new AsyncAcquire(context, key, options, signal, false).start();
        return (CompletionStage<Lease>) lease;
    }

    /** Waits without a thread as long as the options say, and answers with contention instead of failing. */
    public CompletionStage<AcquireResult> tryAcquireAsync(LockKey key, LockOptions options, AbortSignal signal) {
        return new AsyncAcquire(context, key, options, signal, true).start();
    }

    /** Waits for a lock, runs the body, and releases it whatever happens. A closing guard waits for it, within its bound. */
    public <T extends @Nullable Object, X extends Exception> T call(
            LockKey key, LockOptions options, AbortSignal signal, LockedFunction<T, X> body) throws X {
        context.inFlight().begin();
        boolean outer = context.inFlight().enter();
        try {
            return run(hold(key, options, signal), options, body);
        } finally {
            context.inFlight().leave(outer);
            context.inFlight().end();
        }
    }

    private static <T extends @Nullable Object, X extends Exception> T run(
            LeaseHandle lease, LockOptions options, LockedFunction<T, X> body) throws X {
        T result;
        try {
            result = options.isInterruptOnLoss() ? new InterruptibleBody().run(lease, body) : body.apply(lease);
        } catch (Throwable thrown) {
            lease.bodyFailed();
            lease.close();
            LeaseLostException loss = lease.loss(null);
            if (loss != null && loss != thrown) {
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

    /** Waits for a lock, runs the body, and releases it whatever happens, all without a thread. */
    public <T extends @Nullable Object> CompletionStage<T> callAsync(
            LockKey key, LockOptions options, AbortSignal signal, Function<Lease, CompletionStage<T>> body) {
        context.inFlight().begin();
        AsyncAcquire acquire;
        CompletionStage<T> result;
        try {
            acquire = new AsyncAcquire(context, key, options, signal, false);
            result = new AsyncCall<>(acquire.result, context.completion(), context.inFlight(), body).result();
        } catch (Throwable e) {
            context.inFlight().end();
            throw e;
        }
        var unused = acquire.start();
        return result;
    }
}
