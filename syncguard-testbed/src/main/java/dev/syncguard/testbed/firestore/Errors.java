package dev.syncguard.testbed.firestore;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** What the service answers when it refuses. */
final class Errors {

    private Errors() {}

    static StatusRuntimeException invalid(String message) {
        return Status.INVALID_ARGUMENT.withDescription(message).asRuntimeException();
    }

    static StatusRuntimeException aborted(String message) {
        return Status.ABORTED.withDescription(message).asRuntimeException();
    }

    static StatusRuntimeException failedPrecondition(String message) {
        return Status.FAILED_PRECONDITION.withDescription(message).asRuntimeException();
    }

    static StatusRuntimeException notFound(String message) {
        return Status.NOT_FOUND.withDescription(message).asRuntimeException();
    }

    static StatusRuntimeException alreadyExists(String message) {
        return Status.ALREADY_EXISTS.withDescription(message).asRuntimeException();
    }

    static StatusRuntimeException unimplemented(String message) {
        return Status.UNIMPLEMENTED
                .withDescription("The stand-in does not have this: " + message)
                .asRuntimeException();
    }
}
