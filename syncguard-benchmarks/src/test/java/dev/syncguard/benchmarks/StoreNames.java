package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Plan;
import java.util.List;
import java.util.stream.Stream;

/** What can be measured, by name. */
public final class StoreNames {

    private StoreNames() {}

    /** Returns "store / workload / series" of everything that a full run measures. */
    public static List<String> figures() {
        return Stores.all().stream().flatMap(StoreNames::figures).toList();
    }

    private static Stream<String> figures(Bed bed) {
        return bed.workloads().stream()
                .flatMap(workload -> workload.series(bed, Plan.full()).stream()
                        .map(name -> bed.store() + " / " + workload.title() + " / " + name));
    }
}
