package dev.syncguard.benchmarks.harness;

/** Says on standard error what is running. */
@FunctionalInterface
public interface Progress {

    /** Something began. */
    void at(String what);
}
