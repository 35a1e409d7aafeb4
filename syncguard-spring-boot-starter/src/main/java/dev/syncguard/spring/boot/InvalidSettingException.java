package dev.syncguard.spring.boot;

import dev.syncguard.LockException;

/** A property has a value that the guard or the store refuses. */
final class InvalidSettingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The name of the property. */
    private final String property;

    InvalidSettingException(String property, LockException refusal) {
        super(property + ": " + refusal.getMessage(), refusal);
        this.property = property;
    }

    InvalidSettingException(String property, String message) {
        super(property + ": " + message);
        this.property = property;
    }

    String property() {
        return property;
    }
}
