package dev.syncguard.faults;

import dev.syncguard.FenceMode;
import dev.syncguard.faults.checker.Coverage;
import dev.syncguard.faults.checker.Judgement;
import dev.syncguard.faults.checker.Violation;
import dev.syncguard.faults.store.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A gate on one store: rounds with alternating fence modes, and one result. */
final class Run {

    private static final int CLIENTS = 4;
    private static final int MOST_VIOLATIONS = 200;

    private final Gate gate;
    private final String store;
    private final long seed;
    private final Duration length;
    private final Path directory;
    private final Progress progress;

    Run(Gate gate, String store, long seed, Duration length, Path directory, Progress progress) {
        this.gate = gate;
        this.store = store;
        this.seed = seed;
        this.length = length;
        this.directory = directory;
        this.progress = progress;
    }

    Result run() {
        Random seeds = new Random(seed);
        Coverage coverage = Coverage.NONE;
        List<Violation> violations = new ArrayList<>();
        List<String> broken = new ArrayList<>();
        try (TestStore running = Stores.start(store, CLIENTS)) {
            for (int i = 0; i < gate.rounds(); i++) {
                FenceMode mode = i % 2 == 0 ? FenceMode.COUNTER : FenceMode.TIME_FLOORED;
                Judgement judgement = round(running, i, mode, seeds.nextLong());
                coverage = coverage.plus(judgement.coverage());
                judgement.violations().stream()
                        .limit(Math.max(0, MOST_VIOLATIONS - violations.size()))
                        .forEach(violations::add);
                broken.addAll(judgement.broken());
            }
        }
        Judgement all = new Judgement(coverage, violations, broken);
        Result result =
                Result.of(store, gate.name(), seed, "COUNTER and TIME_FLOORED", all, gate.missing(store, coverage));
        result.write(directory);
        return result;
    }

    private Judgement round(TestStore running, int number, FenceMode mode, long roundSeed) {
        Path folder = directory.resolve(String.format("round-%03d", number + 1));
        Plan plan = new Plan(
                mode,
                CLIENTS,
                Plan.ALL_WORKLOADS,
                length.dividedBy(gate.rounds()),
                gate == Gate.COMMIT ? 100 : 700,
                roundSeed,
                "",
                (any, faults) -> faults);
        Judgement judgement = new Round(running, plan, folder, progress).run();
        Result.of(store, gate.name(), roundSeed, mode.name(), judgement, List.of())
                .write(folder);
        return judgement;
    }
}
