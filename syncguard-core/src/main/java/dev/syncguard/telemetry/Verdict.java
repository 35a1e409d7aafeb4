package dev.syncguard.telemetry;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.telemetry.LockEvent.Reason;
import dev.syncguard.telemetry.LockEvent.Result;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What the outcome of an operation says in an event. */
record Verdict(
        Result result, @Nullable Reason reason, @Nullable Code errorCode) {

    private static final Verdict OK = new Verdict(Result.OK, null, null);

    private static Verdict no(@Nullable Reason reason) {
        return new Verdict(Result.FAIL, reason, null);
    }

    static Verdict of(AcquireOutcome outcome) {
        return outcome instanceof Granted ? OK : no(Reason.LOCKED);
    }

    static Verdict of(ReleaseOutcome outcome) {
        return switch (outcome) {
            case RELEASED -> OK;
            case EXPIRED -> no(Reason.EXPIRED);
            case NOT_FOUND -> no(Reason.NOT_FOUND);
        };
    }

    static Verdict of(ExtendOutcome outcome) {
        if (outcome instanceof Extended) {
            return OK;
        }
        return no(outcome == NotExtended.EXPIRED ? Reason.EXPIRED : Reason.NOT_FOUND);
    }

    static Verdict of(boolean yes) {
        return yes ? OK : no(null);
    }

    static Verdict of(Optional<StoredLock> found) {
        return of(found.isPresent());
    }

    /** The code of a failure; what is not an exception of this library is internal. */
    static Verdict failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return new Verdict(Result.FAIL, null, cause instanceof LockException known ? known.code() : Code.INTERNAL);
    }
}
