package dev.syncguard.faults;

import dev.syncguard.faults.checker.Judgement;
import dev.syncguard.faults.teeth.Scenario;
import dev.syncguard.faults.teeth.Teeth;
import dev.syncguard.faults.teeth.Tooth;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tries all seeded bugs, or those that are named, and says what became of each as a table. */
final class TeethRun {

    private final Bite bite;

    TeethRun(Path home, Path directory) {
        this.bite = new Bite(home, directory);
    }

    int run(@Nullable List<String> names) {
        Map<Scenario, String> scenes = new LinkedHashMap<>();
        StringBuilder table = new StringBuilder("| seeded bug | caught by | rounds | seconds |\n|---|---|---|---|\n");
        boolean all = true;
        for (Tooth tooth : Teeth.all()) {
            if (names == null || names.isEmpty() || names.contains(tooth.name())) {
                Bite.Outcome outcome = bite.mutated(tooth);
                all &= outcome.caught();
                if (!tooth.module().isEmpty()) {
                    scenes.putIfAbsent(tooth.scene(), tooth.name());
                }
                String found = outcome.caught() ? outcome.first() : "**not caught**, broken: " + outcome.broken();
                String row = "| " + tooth.name() + " | " + found + " | " + outcome.rounds() + " | " + outcome.seconds()
                        + " |";
                System.out.println(row);
                table.append(row).append('\n');
            }
        }
        for (Map.Entry<Scenario, String> scene : scenes.entrySet()) {
            Judgement judgement = bite.sound(scene.getKey(), scene.getValue());
            boolean green = judgement.violations().isEmpty();
            all &= green;
            String found = green
                    ? "nothing, as it must be"
                    : "**" + judgement.violations().get(0).what() + "**";
            table.append("| none, the scene of ")
                    .append(scene.getValue())
                    .append(" | ")
                    .append(found)
                    .append(" | 1 | |\n");
        }
        System.out.println("\n" + table);
        return all ? Verdict.GREEN.exitCode() : Verdict.RED.exitCode();
    }
}
