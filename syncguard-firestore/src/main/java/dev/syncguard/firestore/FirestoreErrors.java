package dev.syncguard.firestore;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode;
import com.google.cloud.firestore.FirestoreException;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.ConflictException;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What the client throws → {@link LockException}, by status code. The only class that names exceptions of the client. */
final class FirestoreErrors {

    /** What a commit is answered with if a document is not as it was read. */
    private static final Set<StatusCode.Code> CHANGED =
            Set.of(StatusCode.Code.FAILED_PRECONDITION, StatusCode.Code.ALREADY_EXISTS, StatusCode.Code.NOT_FOUND);

    private FirestoreErrors() {}

    /**
     * Returns whether another client got in the way; this request was not applied.
     *
     * @param committing whether it was a commit, whose writes have conditions
     */
    static boolean isConflict(Throwable failure, boolean committing) {
        StatusCode.Code status = status(failure);
        return status == StatusCode.Code.ABORTED || (committing && status != null && CHANGED.contains(status));
    }

    /** Whether the client gave up because it met the interrupt flag of the thread that it worked on. */
    static boolean isInterrupt(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof InterruptedException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    static LockException interrupted(Throwable failure) {
        return new LockException(
                Code.SERVICE_UNAVAILABLE, "the Firestore client was interrupted again and again", withoutText(failure));
    }

    static LockException conflict(Throwable failure) {
        return new ConflictException(
                "other clients changed the lock at the same time, again and again; nothing was changed (gRPC "
                        + status(failure) + ")",
                withoutText(failure));
    }

    /**
     * Translates a failure.
     *
     * @param mayHaveCommitted whether a commit with writes was sent
     */
    static LockException translate(Throwable failure, boolean mayHaveCommitted) {
        if (failure instanceof LockException known) {
            return known;
        }
        if (failure instanceof TimeoutException) {
            return new LockException(
                    Code.NETWORK_TIMEOUT, "Firestore did not answer in time", withoutText(failure), mayHaveCommitted);
        }
        StatusCode.Code status = status(failure);
        if (status == null) {
            return new LockException(
                    failure instanceof IllegalStateException ? Code.SERVICE_UNAVAILABLE : Code.INTERNAL,
                    "the Firestore client failed without a status; was it closed?",
                    withoutText(failure),
                    mayHaveCommitted);
        }
        if (status == StatusCode.Code.ABORTED) {
            return conflict(failure);
        }
        if (mayHaveCommitted && code(status) == Code.INVALID_ARGUMENT) {
            // What was read before shows that the request is valid: this is the answer to a second copy of it.
            return new LockException(
                    Code.SERVICE_UNAVAILABLE,
                    "Firestore refused a commit (gRPC " + status + ")",
                    withoutText(failure),
                    true);
        }
        boolean unknown = mayHaveCommitted && status != StatusCode.Code.PERMISSION_DENIED;
        return new LockException(code(status), message(status), withoutText(failure), unknown);
    }

    /** Returns the failure of an operation that is not sure of its last commit. Its request was valid: it was read before. */
    static LockException unknown(LockException failure) {
        return failure.outcomeUnknown()
                ? failure
                : new LockException(
                        failure.code() == Code.INVALID_ARGUMENT ? Code.SERVICE_UNAVAILABLE : failure.code(),
                        "given up after a commit whose outcome is unknown; see the cause",
                        failure,
                        true);
    }

    static Code code(StatusCode.Code status) {
        return switch (status) {
            case UNAVAILABLE, INTERNAL, ABORTED, CANCELLED, UNKNOWN -> Code.SERVICE_UNAVAILABLE;
            case DEADLINE_EXCEEDED -> Code.NETWORK_TIMEOUT;
            case PERMISSION_DENIED, UNAUTHENTICATED -> Code.AUTH_FAILED;
            case INVALID_ARGUMENT, FAILED_PRECONDITION, NOT_FOUND -> Code.INVALID_ARGUMENT;
            case RESOURCE_EXHAUSTED -> Code.RATE_LIMITED;
            default -> Code.INTERNAL;
        };
    }

    private static String message(StatusCode.Code status) {
        String what = switch (status) {
            case DEADLINE_EXCEEDED -> "Firestore did not answer in time";
            case PERMISSION_DENIED ->
                "Firestore refused a permission; check the service account's roles and the project id";
            case UNAUTHENTICATED -> "Firestore refused the credentials, or there are none";
            case NOT_FOUND -> "there is no such project or database; check the client's project and database id";
            case FAILED_PRECONDITION ->
                "Firestore refused; is the database in native mode, and is the field lockId indexed?";
            case INVALID_ARGUMENT -> "Firestore refused the request";
            case RESOURCE_EXHAUSTED -> "a quota of Firestore is used up";
            case UNAVAILABLE, INTERNAL, CANCELLED, UNKNOWN -> "Firestore cannot be reached or cannot serve now";
            default -> "Firestore answered with an error that is not expected";
        };
        return what + " (gRPC " + status + ")";
    }

    private static StatusCode.@Nullable Code status(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ApiException api) {
                return api.getStatusCode().getCode();
            }
            if (cause instanceof FirestoreException firestore && firestore.getStatus() != null) {
                return code(firestore.getStatus());
            }
        }
        return null;
    }

    private static StatusCode.Code code(Status status) {
        return StatusCode.Code.valueOf(status.getCode().name());
    }

    /** The service quotes document names, and with them keys: the cause keeps its type and stack, not its text. */
    private static Throwable withoutText(Throwable failure) {
        StringBuilder types = new StringBuilder(failure.getClass().getName());
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            types.append(" < ").append(cause.getClass().getName());
        }
        Throwable copy = new Exception(types.toString());
        copy.setStackTrace(failure.getStackTrace());
        return copy;
    }
}
