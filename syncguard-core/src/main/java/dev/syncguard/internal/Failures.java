package dev.syncguard.internal;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Any {@link Throwable} of a backend, as the rest of the guard and its callers see it. */
final class Failures {

    private Failures() {}

    /** Returns the failure as a {@link LockException}; what a backend did not classify may have happened. */
    static LockException translate(Throwable failure, @Nullable LockKey key, @Nullable LockId lockId) {
        Throwable cause = unwrap(failure);
        if (cause instanceof LockException known) {
            return known.about(key, lockId);
        }
        String what = cause instanceof Error
                ? "the backend failed with " + cause.getClass().getName()
                : "the backend failed with an unclassified exception";
        return new LockException(Code.INTERNAL, what, cause, true).about(key, lockId);
    }

    /** Returns the failure of an acquire for an observer: closing the guard aborts it. */
    static LockException ofAcquire(Throwable failure, LockKey key, LockId lockId) {
        return failure instanceof InFlight.ClosedException
                ? new LockException(Code.ABORTED, "the guard was closed", failure).about(key, lockId)
                : translate(failure, key, lockId);
    }

    /** Returns what a stage failed with. */
    static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Returns what a blocking caller gets: an {@link Error} of the backend is thrown as it was. */
    static RuntimeException forCaller(LockException failure) {
        if (failure.getCause() instanceof Error error) {
            throw error;
        }
        return failure;
    }
}
