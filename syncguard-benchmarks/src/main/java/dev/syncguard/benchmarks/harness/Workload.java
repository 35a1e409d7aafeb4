package dev.syncguard.benchmarks.harness;

import java.util.List;

/** Something that candidates of a store do, measured. */
public interface Workload {

    /** The name, which goals refer to. */
    String title();

    /** How it is measured, in a sentence or two. */
    String note();

    /** The figure that ratios and plots are about. */
    Metric main();

    /** The series that ratios refer to. */
    default String reference() {
        return Contestant.SYNCGUARD;
    }

    /** The names of the series it gives. */
    List<String> series(Bed bed, Plan plan);

    /** About how long it takes. */
    double seconds(Bed bed, Plan plan);

    /** Measures. */
    List<Series> run(Bed bed, Plan plan, Progress progress) throws Exception;
}
