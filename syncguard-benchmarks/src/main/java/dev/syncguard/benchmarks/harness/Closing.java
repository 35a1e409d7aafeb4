package dev.syncguard.benchmarks.harness;

/** Closes what is not ours to judge. */
public final class Closing {

    private Closing() {}

    /** Closes; a failure ends the run. */
    public static void unchecked(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            throw new IllegalStateException("could not be closed", e);
        }
    }
}
