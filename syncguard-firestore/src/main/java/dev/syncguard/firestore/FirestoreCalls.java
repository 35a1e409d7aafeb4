package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.Firestore;
import com.google.common.util.concurrent.MoreExecutors;
import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.spi.support.InterruptShield;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs steps and sends reads, each within the command timeout. Stages fail with {@link LockException} only. */
record FirestoreCalls(Firestore firestore, FirestoreClock clock, Duration timeout) {

    /** Runs a step, again after a conflict. */
    <T> CompletableFuture<T> atomically(Step<T> step, AbortSignal signal) {
        return atomically(step, signal, timeout.toNanos());
    }

    /** Runs a step, again after a conflict, but commits no more when more time has passed than given. */
    <T> CompletableFuture<T> atomically(Step<T> step, AbortSignal signal, long repeatNanos) {
        return sent(signal, () -> new StepRun<>(this, step, signal, repeatNanos).start());
    }

    /** Reads in one request, which sees one consistent state. */
    <R, T> CompletableFuture<T> read(
            Supplier<ApiFuture<R>> request, Function<R, Reading> reading, Judge<T> judge, AbortSignal signal) {
        return sent(signal, () -> {
            long sentMs = clock.millis();
            return answer(request).thenApply(read -> {
                Reading found = reading.apply(read);
                return judge.judge(found, clock.checked(clock.since(sentMs, found.readTime())));
            });
        });
    }

    /** Says what an answer means. */
    interface Judge<T> {
        T judge(Reading reading, Moment moment);
    }

    /** Sends one request. */
    <R> CompletableFuture<R> request(Supplier<ApiFuture<R>> request, AbortSignal signal) {
        return sent(signal, () -> answer(request));
    }

    /** The answer of a request, or its failure translated. */
    private <R> CompletableFuture<R> answer(Supplier<ApiFuture<R>> request) {
        Interrupts interrupts = new Interrupts();
        CompletableFuture<R> answer = new CompletableFuture<>();
        ApiFuture<R> sent = request.get();
        ApiFutures.addCallback(sent, completing(answer), MoreExecutors.directExecutor());
        CompletableFuture<R> done = answer.exceptionallyCompose(
                failure -> interrupts.isCause(failure) ? again(request) : CompletableFuture.failedFuture(failure));
        return done.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS).handle((value, failure) -> {
            if (failure == null) {
                return value;
            }
            sent.cancel(true);
            throw FirestoreErrors.translate(unwrap(failure), false);
        });
    }

    /** On another thread, which no caller interrupts: what it does is there before it starts, or it would be done here. */
    private <R> CompletableFuture<R> again(Supplier<ApiFuture<R>> request) {
        CompletableFuture<Supplier<ApiFuture<R>>> next = new CompletableFuture<>();
        CompletableFuture<R> done = next.thenCompose(this::answer);
        Later.run(0, () -> next.complete(request));
        return done;
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    private static <T> ApiFutureCallback<T> completing(CompletableFuture<T> answer) {
        return new ApiFutureCallback<>() {
            @Override
            public void onSuccess(T value) {
                answer.complete(value);
            }

            @Override
            public void onFailure(Throwable failure) {
                answer.completeExceptionally(failure);
            }
        };
    }

    private static <T> CompletableFuture<T> sent(AbortSignal signal, Supplier<CompletableFuture<T>> call) {
        try {
            signal.throwIfAborted();
            return InterruptShield.call(call);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(FirestoreErrors.translate(e, false));
        }
    }

    /** Waits, although the thread is interrupted, and keeps the flag (CAN-2). Every stage ends by the command timeout. */
    static <T> T await(CompletableFuture<T> stage) {
        try {
            return stage.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof LockException known ? known : FirestoreErrors.translate(e, true);
        }
    }
}
