package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.Firestore;
import com.google.common.util.concurrent.MoreExecutors;
import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Sends transactions and reads, each within the command timeout. Stages fail with {@link LockException} only. */
record FirestoreCalls(Firestore firestore, FirestoreClock clock, Duration timeout, OpenTransactions open) {

    FirestoreCalls(Firestore firestore, FirestoreClock clock, Duration timeout) {
        this(firestore, clock, timeout, new OpenTransactions());
    }

    /** Runs a step in a transaction, again after a conflict. */
    <T> CompletableFuture<T> transaction(Step<T> step, AbortSignal signal) {
        return transaction(step, signal, timeout.toNanos());
    }

    /** Runs a step in a transaction, again after a conflict, but not when more time has gone than given. */
    <T> CompletableFuture<T> transaction(Step<T> step, AbortSignal signal, long repeatNanos) {
        return sent(
                signal,
                () -> new TransactionRun<>(
                                firestore,
                                () -> new Attempt<>(step, clock, signal, open),
                                signal,
                                timeout.toNanos(),
                                repeatNanos)
                        .start());
    }

    /** Reads without a transaction: one request, which sees one consistent state. */
    <R, T> CompletableFuture<T> read(
            Supplier<ApiFuture<R>> request, Function<R, Reading> reading, Judge<T> judge, AbortSignal signal) {
        return sent(signal, () -> {
            long sentMs = clock.millis();
            return answer(request.get()).thenApply(read -> {
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
        return sent(signal, () -> answer(request.get()));
    }

    /** The answer of one request, or its failure translated. */
    private <R> CompletableFuture<R> answer(ApiFuture<R> request) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        ApiFutures.addCallback(request, Attempt.completing(answer), MoreExecutors.directExecutor());
        return answer.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS).handle((value, failure) -> {
            if (failure == null) {
                return value;
            }
            request.cancel(true);
            throw FirestoreErrors.translate(failure, false);
        });
    }

    private static <T> CompletableFuture<T> sent(AbortSignal signal, Supplier<CompletableFuture<T>> call) {
        try {
            signal.throwIfAborted();
            return InterruptFlag.kept(call);
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
