package dev.syncguard.cli.text;

/** What the exit codes mean. */
public final class ExitCode {

    /** Done; yes. */
    public static final int YES = 0;

    /** No: contended, absent, free. */
    public static final int NO = 1;

    /** Wrong usage, or an argument that is not allowed. */
    public static final int USAGE = 2;

    /** No answer: the store, the output or this program failed. */
    public static final int FAILED = 3;

    /** {@code run} did not get the lock in time (EX_TEMPFAIL). */
    public static final int BUSY = 75;

    /** {@code run} lost the lock while the command ran; no number of sysexits, of a shell or of a signal. */
    public static final int LOST = 79;

    /** {@code run} cannot execute the command, as in a shell. */
    public static final int NOT_EXECUTABLE = 126;

    /** {@code run} does not find the command, as in a shell. */
    public static final int NOT_FOUND = 127;

    /** Added to the number of a signal. */
    public static final int SIGNAL = 128;

    private ExitCode() {}

    /**
     * Returns the code of an answer.
     *
     * @param yes whether the answer is yes
     * @return 0 or 1
     */
    public static int of(boolean yes) {
        return yes ? YES : NO;
    }
}
