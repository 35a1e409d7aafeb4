package dev.syncguard.spring.boot;

/** No store, or more than one, could hold the locks. */
final class BackendChoiceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What to do. */
    private final String action;

    BackendChoiceException(String message, String action) {
        super(message);
        this.action = action;
    }

    String action() {
        return action;
    }
}
