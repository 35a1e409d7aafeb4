package dev.syncguard.telemetry;

import dev.syncguard.telemetry.LockEvent.Result;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Times operations and shows them to the observer. Nothing that goes wrong there reaches the operation. */
final class Recorder {

    private final LockObserver observer;

    Recorder(LockObserver observer) {
        this.observer = observer;
    }

    <T> T record(Subject subject, Function<T, Verdict> verdict, Supplier<T> call) {
        long start = System.nanoTime();
        T outcome;
        try {
            outcome = call.get();
        } catch (Throwable e) {
            tell(subject, start, () -> Verdict.failed(e));
            throw e;
        }
        tell(subject, start, () -> verdict.apply(outcome));
        return outcome;
    }

    <T> CompletionStage<T> recordAsync(
            Subject subject, Function<T, Verdict> verdict, Supplier<CompletionStage<T>> call) {
        long start = System.nanoTime();
        return begin(call)
                .whenComplete((outcome, failure) ->
                        tell(subject, start, () -> failure != null ? Verdict.failed(failure) : verdict.apply(outcome)));
    }

    private static <T> CompletionStage<T> begin(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (Throwable e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private void tell(Subject subject, long start, Supplier<Verdict> made) {
        long nanos = System.nanoTime() - start;
        try {
            Verdict verdict = verdict(made);
            boolean granted = subject.type() != LockEvent.Type.ACQUIRE || verdict.result() == Result.OK;
            observer.onOperation(new StoreOperation(
                    subject.type(),
                    subject.key(),
                    granted ? subject.lockId() : null,
                    verdict.result(),
                    verdict.reason(),
                    verdict.errorCode(),
                    nanos));
        } catch (Throwable e) {
            // The observer threw; the operation goes its way.
        }
    }

    /** An outcome that makes no sense is a failure. */
    private static Verdict verdict(Supplier<Verdict> made) {
        try {
            return made.get();
        } catch (Throwable e) {
            return Verdict.failed(e);
        }
    }
}
