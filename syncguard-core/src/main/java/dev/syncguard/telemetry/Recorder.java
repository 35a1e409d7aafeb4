package dev.syncguard.telemetry;

import dev.syncguard.KeyHash;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.telemetry.LockEvent.Reason;
import dev.syncguard.telemetry.LockEvent.Result;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Times operations and sends their events. */
final class Recorder {

    private final EventQueue queue;
    private final KeyHash hash;

    Recorder(EventQueue queue, KeyHash hash) {
        this.queue = queue;
        this.hash = hash;
    }

    /** What an outcome says in an event. */
    record Verdict(Result result, @Nullable Reason reason) {
        static final Verdict OK = new Verdict(Result.OK, null);
        static final Verdict NO = new Verdict(Result.FAIL, null);
        static final Verdict LOCKED = new Verdict(Result.FAIL, Reason.LOCKED);
        static final Verdict EXPIRED = new Verdict(Result.FAIL, Reason.EXPIRED);
        static final Verdict NOT_FOUND = new Verdict(Result.FAIL, Reason.NOT_FOUND);

        static Verdict of(AcquireOutcome outcome) {
            return outcome instanceof Granted ? OK : LOCKED;
        }

        static Verdict of(ReleaseOutcome outcome) {
            return switch (outcome) {
                case RELEASED -> OK;
                case EXPIRED -> EXPIRED;
                case NOT_FOUND -> NOT_FOUND;
            };
        }

        static Verdict of(ExtendOutcome outcome) {
            if (outcome instanceof Extended) {
                return OK;
            }
            return outcome == NotExtended.EXPIRED ? EXPIRED : NOT_FOUND;
        }

        static Verdict of(boolean yes) {
            return yes ? OK : NO;
        }

        static Verdict of(Optional<StoredLock> found) {
            return of(found.isPresent());
        }
    }

    /** What an operation is about. */
    record Subject(
            LockEvent.Type type,
            @Nullable LockKey key,
            @Nullable LockId lockId) {}

    <T> T record(Subject subject, Function<T, Verdict> verdict, Supplier<T> call) {
        long start = System.nanoTime();
        T outcome;
        try {
            outcome = call.get();
        } catch (RuntimeException e) {
            failed(subject, start, e);
            throw e;
        }
        send(subject, verdict.apply(outcome), null, start);
        return outcome;
    }

    <T> CompletionStage<T> recordAsync(
            Subject subject, Function<T, Verdict> verdict, Supplier<CompletionStage<T>> call) {
        long start = System.nanoTime();
        return call.get().whenComplete((outcome, failure) -> {
            if (failure != null) {
                failed(subject, start, failure);
            } else {
                send(subject, verdict.apply(outcome), null, start);
            }
        });
    }

    private void failed(Subject subject, long start, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        LockException.Code code = cause instanceof LockException known ? known.code() : LockException.Code.INTERNAL;
        send(subject, Verdict.NO, code, start);
    }

    private void send(Subject subject, Verdict verdict, LockException.@Nullable Code code, long start) {
        Duration duration = Duration.ofNanos(System.nanoTime() - start);
        queue.send(() -> event(subject, verdict, code, duration));
    }

    private LockEvent event(Subject subject, Verdict verdict, LockException.@Nullable Code code, Duration duration) {
        boolean refusedAcquire = subject.type == LockEvent.Type.ACQUIRE && verdict.result == Result.FAIL;
        Optional<LockKey> key = Optional.ofNullable(subject.key);
        Optional<LockId> lockId = refusedAcquire ? Optional.empty() : Optional.ofNullable(subject.lockId);
        return new LockEvent(
                subject.type,
                verdict.result,
                key.map(LockKey::hash),
                lockId.map(id -> hash.hash(id.value())),
                Optional.ofNullable(verdict.reason),
                Optional.ofNullable(code),
                duration,
                key.map(LockKey::value),
                lockId);
    }
}
