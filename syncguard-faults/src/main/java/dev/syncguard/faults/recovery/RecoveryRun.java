package dev.syncguard.faults.recovery;

import java.util.List;
import java.util.function.Supplier;

/** All measurements, as a table. */
public final class RecoveryRun {

    private RecoveryRun() {}

    /**
     * Measures.
     *
     * @param share of the number of restarts and timeouts that count; 1 for figures to be published
     * @return whether all goals were reached
     */
    public static boolean run(double share) {
        List<Supplier<Outcome>> all = List.of(
                () -> Restarts.redis(times(50, share)),
                () -> Restarts.postgres(times(30, share)),
                () -> Restarts.sentinel(times(20, share)),
                () -> Timeouts.redis(times(100_000, share)),
                () -> Timeouts.postgres(times(100_000, share)));
        System.out.println("| measured | figure | goal | reached |\n|---|---|---|---|");
        boolean reached = true;
        for (Supplier<Outcome> measurement : all) {
            Outcome outcome = measurement.get();
            System.out.println(outcome.row());
            reached &= outcome.reached();
        }
        return reached;
    }

    private static int times(int full, double share) {
        return (int) Math.max(2, Math.round(full * share));
    }
}
