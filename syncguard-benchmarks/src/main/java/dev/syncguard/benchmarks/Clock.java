package dev.syncguard.benchmarks;

import java.util.Locale;

/** Says on standard error what is running and how long it will take still: by the estimates, corrected as the run goes. */
final class Clock {

    private final double estimate;
    private double done;
    private double took;

    Clock(double estimate) {
        this.estimate = estimate;
    }

    void tell(String what) {
        double pace = done == 0 ? 1 : took / done;
        System.err.printf(Locale.ROOT, "%s; about %.1f min left%n", what, (estimate - done) * pace / 60);
    }

    void done(double estimated, double seconds) {
        done += estimated;
        took += seconds;
        System.err.printf(Locale.ROOT, "  took %.0f s (estimate %.0f s)%n", seconds, estimated);
    }
}
