package dev.syncguard.benchmarks.firestore;

import dev.syncguard.benchmarks.harness.Meter;
import dev.syncguard.testbed.firestore.FirestoreServer;

/** The requests that arrive. The stand-in's processor time cannot be told from the client's. */
record FirestoreMeter(FirestoreServer server) implements Meter {

    @Override
    public double cpuMicros() {
        return Double.NaN;
    }

    @Override
    public double commands(Action action) throws Exception {
        server.clearCounts();
        action.run();
        return server.counts().values().stream().mapToInt(count -> count).sum();
    }
}
