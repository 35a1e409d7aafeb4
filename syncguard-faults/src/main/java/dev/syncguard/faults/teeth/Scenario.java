package dev.syncguard.faults.teeth;

import dev.syncguard.FenceMode;
import java.util.List;

/**
 * A short round that aims at one kind of bug.
 *
 * @param store which store
 * @param fenceMode how fences are found
 * @param workloads what the clients do
 * @param faults what the nemesis does; nothing if empty
 * @param seconds how long
 */
public record Scenario(String store, FenceMode fenceMode, List<String> workloads, List<String> faults, int seconds) {

    static Scenario on(String store, String workloads, String faults, int seconds) {
        return new Scenario(store, FenceMode.COUNTER, words(workloads), words(faults), seconds);
    }

    static Scenario floored(String store, String workloads, String faults, int seconds) {
        return new Scenario(store, FenceMode.TIME_FLOORED, words(workloads), words(faults), seconds);
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
    }
}
