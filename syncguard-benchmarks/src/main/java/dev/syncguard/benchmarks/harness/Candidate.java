package dev.syncguard.benchmarks.harness;

import java.util.concurrent.CompletionStage;

/** One way to lock. */
public interface Candidate extends AutoCloseable {

    /** What a cycle does while it holds the lock. */
    Runnable NOTHING = () -> {};

    /** Waits for the lock of a key (if it can wait), runs something, and releases. */
    void locked(String key, Runnable body) throws Exception;

    /** Acquires and releases without a thread; the owner is a number that nobody else uses at the same time. */
    default CompletionStage<?> cycleAsync(String key, long owner) {
        throw new UnsupportedOperationException();
    }

    @Override
    void close();
}
