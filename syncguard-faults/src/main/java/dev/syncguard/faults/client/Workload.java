package dev.syncguard.faults.client;

/** One way to use locks. */
@FunctionalInterface
interface Workload {

    /** Does it once. Called in a loop, by one thread. */
    void once(Scene scene) throws Exception;
}
