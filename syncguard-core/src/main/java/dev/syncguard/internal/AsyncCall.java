package dev.syncguard.internal;

import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Acquire, body, release, without a thread.
 *
 * <p>Cancelling the result cancels the wait. A body that has begun runs to its end; the lock is released then.
 */
final class AsyncCall<T extends @Nullable Object> {

    private final CompletableFuture<HeldLease> acquiring;
    private final Function<Lease, CompletionStage<T>> body;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    AsyncCall(CompletableFuture<HeldLease> acquiring, Function<Lease, CompletionStage<T>> body) {
        this.acquiring = acquiring;
        this.body = body;
    }

    CompletionStage<T> start() {
        CompletionStage<T> outcome = result;
        outcome.whenComplete((value, failure) -> acquiring.cancel(false));
        CompletionStage<HeldLease> lock = acquiring;
        lock.whenComplete((lease, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else if (result.isDone()) {
                lease.closeAsync();
            } else {
                runBody(lease).whenComplete((value, thrown) -> finish(lease, value, thrown));
            }
        });
        return outcome;
    }

    private CompletionStage<T> runBody(HeldLease lease) {
        try {
            return Objects.requireNonNull(body.apply(lease), "the body returned no stage");
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private void finish(HeldLease lease, T value, @Nullable Throwable thrown) {
        lease.closeAsync().whenComplete((closed, impossible) -> {
            LeaseLostException loss = lease.loss(thrown == null ? value : null);
            if (thrown != null) {
                if (loss != null) {
                    thrown.addSuppressed(loss);
                }
                result.completeExceptionally(thrown);
            } else if (loss != null) {
                result.completeExceptionally(loss);
            } else {
                result.complete(value);
            }
        });
    }
}
