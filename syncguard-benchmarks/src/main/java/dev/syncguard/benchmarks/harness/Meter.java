package dev.syncguard.benchmarks.harness;

/** What can be seen of a store from outside. NaN stands for what cannot. */
public interface Meter {

    /** For a store inside this process. */
    Meter BLIND = new Meter() {
        @Override
        public double cpuMicros() {
            return Double.NaN;
        }

        @Override
        public double commands(Action action) throws Exception {
            action.run();
            return Double.NaN;
        }
    };

    /** Something that uses the store. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    /** Returns the processor time that the server has used so far. */
    double cpuMicros();

    /** Runs something and returns how many commands or statements clients sent to the server meanwhile. */
    double commands(Action action) throws Exception;
}
