package dev.syncguard.reactor;

import org.jspecify.annotations.Nullable;

/** Marks the failure at the end of a call: {@code usingWhen} wraps what its clean-up signals, and the subscriber wants it itself. */
final class EndFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EndFailure(Throwable failure) {
        super(null, failure, false, false);
    }

    /** Returns what is wrapped, or the error as it is. */
    static Throwable itself(Throwable error) {
        @Nullable Throwable marked = error instanceof EndFailure ? error : error.getCause();
        Throwable failure = marked instanceof EndFailure ? marked.getCause() : null;
        return failure == null ? error : failure;
    }
}
