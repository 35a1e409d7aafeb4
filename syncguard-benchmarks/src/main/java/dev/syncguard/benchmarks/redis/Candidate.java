package dev.syncguard.benchmarks.redis;

import java.util.concurrent.CompletionStage;

/** Something that locks and unlocks a key on Redis. */
interface Candidate extends AutoCloseable {

    /** Acquires and releases a key that nobody else uses, on this thread. */
    void cycle(String key) throws Exception;

    /** The same without a thread. */
    default CompletionStage<?> cycleAsync(String key, long id) {
        throw new UnsupportedOperationException();
    }

    /** Waits for a key that others use as well, runs something and releases. */
    default void contend(String key, Runnable held, Runnable releasing) throws Exception {
        throw new UnsupportedOperationException();
    }

    @Override
    void close();
}
