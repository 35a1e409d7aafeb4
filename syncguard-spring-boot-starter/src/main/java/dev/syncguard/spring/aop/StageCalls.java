package dev.syncguard.spring.aop;

import dev.syncguard.Lease;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Methods that are done when their stage completes. No thread waits for the lock. */
final class StageCalls {

    private StageCalls() {}

    static CompletableFuture<@Nullable Object> call(Call call) {
        AtomicBoolean entered = new AtomicBoolean();
        CompletableFuture<@Nullable Object> locked;
        try {
            locked = call.guard()
                    .async()
                    .call(call.key(), call.options(), lease -> {
                        entered.set(true);
                        return body(call, lease);
                    })
                    .toCompletableFuture();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
        if (!call.locked().isHandlingContention()) {
            return locked;
        }
        CompletableFuture<@Nullable Object> handled = locked.exceptionallyCompose(thrown -> {
            Throwable failure = unwrap(thrown);
            return entered.get() || !call.locked().isContention(failure)
                    ? CompletableFuture.failedFuture(failure)
                    : contended(call);
        });
        var unused = handled.whenComplete((value, failure) -> {
            if (failure instanceof CancellationException) {
                locked.cancel(false);
            }
        });
        return handled;
    }

    private static CompletionStage<@Nullable Object> body(Call call, Lease lease) {
        try {
            return stage(call.proceedElsewhere(lease));
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletableFuture<@Nullable Object> contended(Call call) {
        try {
            return stage(call.contended()).toCompletableFuture();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @SuppressWarnings("unchecked") // a stage only ever hands out its value
    private static CompletionStage<@Nullable Object> stage(@Nullable Object result) {
        return result == null ? CompletableFuture.completedFuture(null) : (CompletionStage<@Nullable Object>) result;
    }

    private static Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
