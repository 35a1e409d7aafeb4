package dev.syncguard.faults;

/** What comes of a run, with the exit code that says so. */
public enum Verdict {
    /** Every promise was kept, and enough was seen. */
    GREEN(0),
    /** A promise was broken. */
    RED(1),
    /** The suite itself failed. */
    BROKEN(3),
    /** No promise was broken, but too little was seen. */
    INCONCLUSIVE(4);

    private final int exitCode;

    Verdict(int exitCode) {
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
