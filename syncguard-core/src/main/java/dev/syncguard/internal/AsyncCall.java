package dev.syncguard.internal;

import dev.syncguard.AcquireResult;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Acquire, body, release, without a thread. The body starts, and the result completes, on the completion executor.
 *
 * <p>A closing guard waits for it, within its bound. Cancelling the result cancels the wait. A body that has begun runs to its end; the lock is released then.
 */
final class AsyncCall<T extends @Nullable Object> {

    private final CompletableFuture<AcquireResult> acquiring;
    private final Completion completion;
    private final InFlight inFlight;
    private final Function<Lease, CompletionStage<T>> body;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();

    AsyncCall(
            CompletableFuture<AcquireResult> acquiring,
            Completion completion,
            InFlight inFlight,
            Function<Lease, CompletionStage<T>> body) {
        this.acquiring = acquiring;
        this.completion = completion;
        this.inFlight = inFlight;
        this.body = body;
    }

    /** Waits for the lease, on behalf of which the acquire has yet to start: so the body runs where that delivers. */
    CompletionStage<T> result() {
        Stages.whenDone(result, (value, failure) -> acquiring.cancel(false));
        Stages.whenDone(acquiring, (lease, failure) -> {
            if (failure != null) {
                end();
                result.completeExceptionally(Failures.unwrap(failure));
            } else if (result.isDone()) {
                var unused = ((LeaseHandle) lease).closeUnused();
                end();
            } else {
                run((LeaseHandle) lease);
            }
        });
        return result;
    }

    private void run(LeaseHandle lease) {
        CompletionStage<T> running;
        try {
            running = Objects.requireNonNull(body.apply(lease), "the body returned no stage");
            running.whenComplete((value, thrown) -> finish(lease, value, thrown));
        } catch (Throwable e) {
            finish(lease, null, e);
        }
    }

    private void finish(LeaseHandle lease, @Nullable T value, @Nullable Throwable thrown) {
        Throwable failure = thrown == null ? null : Failures.unwrap(thrown);
        if (failure != null) {
            lease.bodyFailed();
        }
        CompletionStage<Boolean> closing = lease.closeQuietly();
        end(); // the release is counted by itself
        closing.whenComplete((closed, impossible) -> completion.run(() -> {
            LeaseLostException loss = lease.loss(failure == null ? value : null);
            if (failure != null) {
                if (loss != null && loss != failure) {
                    failure.addSuppressed(loss);
                }
                result.completeExceptionally(failure);
            } else if (loss != null) {
                result.completeExceptionally(loss);
            } else {
                complete(value);
            }
        }));
    }

    /** The call is no longer under way; a stage of the application that completes twice ends it once. */
    private void end() {
        if (ended.compareAndSet(false, true)) {
            inFlight.end();
        }
    }

    @SuppressWarnings("NullAway") // a body's null is a null of T
    private void complete(@Nullable T value) {
        result.complete(value);
    }
}
