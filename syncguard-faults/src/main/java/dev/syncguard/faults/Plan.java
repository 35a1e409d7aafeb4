package dev.syncguard.faults;

import dev.syncguard.FenceMode;
import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.store.TestStore;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/**
 * What a round does.
 *
 * @param fenceMode how fences are found
 * @param clients how many client processes
 * @param workloads which workloads each of them runs
 * @param length how long faults are inflicted
 * @param pauseMillis between two faults, on average
 * @param seed decides what can be decided
 * @param classPath what stands before the class path of the clients
 * @param faults chooses among what can be done to store and clients
 */
public record Plan(
        FenceMode fenceMode,
        int clients,
        List<String> workloads,
        Duration length,
        int pauseMillis,
        long seed,
        String classPath,
        BiFunction<TestStore, List<Fault>, List<Fault>> faults) {

    static final List<String> ALL_WORKLOADS =
            List.of("W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "W10", "W11", "W12", "W13");
}
