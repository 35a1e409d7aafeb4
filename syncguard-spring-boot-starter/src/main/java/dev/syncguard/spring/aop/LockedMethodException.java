package dev.syncguard.spring.aop;

/** A method cannot be locked as its annotation says. */
public final class LockedMethodException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    LockedMethodException(String description, RuntimeException cause) {
        super(description + ": " + cause.getMessage(), cause);
    }

    LockedMethodException(String description, String reason) {
        super(description + ": " + reason);
    }
}
