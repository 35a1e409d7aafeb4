package dev.syncguard.telemetry;

import dev.syncguard.telemetry.LockEvent.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Times operations and sends their events. Nothing that goes wrong here reaches the operation. */
final class Recorder {

    private final EventQueue queue;
    private final Identifiers identifiers;

    Recorder(EventQueue queue, Identifiers identifiers) {
        this.queue = queue;
        this.identifiers = identifiers;
    }

    <T> T record(Subject subject, Function<T, Verdict> verdict, Supplier<T> call) {
        long start = System.nanoTime();
        T outcome;
        try {
            outcome = call.get();
        } catch (Throwable e) {
            send(subject, start, () -> Verdict.failed(e));
            throw e;
        }
        send(subject, start, () -> verdict.apply(outcome));
        return outcome;
    }

    <T> CompletionStage<T> recordAsync(
            Subject subject, Function<T, Verdict> verdict, Supplier<CompletionStage<T>> call) {
        long start = System.nanoTime();
        return begin(call)
                .whenComplete((outcome, failure) ->
                        send(subject, start, () -> failure != null ? Verdict.failed(failure) : verdict.apply(outcome)));
    }

    private static <T> CompletionStage<T> begin(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (Throwable e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private void send(Subject subject, long start, Supplier<Verdict> verdict) {
        long nanos = System.nanoTime() - start;
        long timeMs = System.currentTimeMillis();
        queue.send(() -> event(subject, verdict.get(), nanos, timeMs));
    }

    private LockEvent event(Subject subject, Verdict verdict, long nanos, long timeMs) {
        boolean granted = subject.type() != LockEvent.Type.ACQUIRE || verdict.result() == Result.OK;
        return identifiers
                .set(
                        LockEvent.builder(subject.type(), verdict.result()),
                        subject.key(),
                        granted ? subject.lockId() : null)
                .time(Instant.ofEpochMilli(timeMs))
                .reason(verdict.reason())
                .errorCode(verdict.errorCode())
                .duration(Duration.ofNanos(nanos))
                .build();
    }
}
