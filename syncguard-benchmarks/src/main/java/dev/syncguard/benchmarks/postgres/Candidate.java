package dev.syncguard.benchmarks.postgres;

/** One way to lock. */
interface Candidate extends AutoCloseable {

    /** Waits for the lock of a key, does something, releases. */
    void locked(String key, Runnable body) throws Exception;

    @Override
    void close();
}
