package dev.syncguard.faults;

import dev.syncguard.faults.checker.Judgement;
import dev.syncguard.faults.checker.Violation;
import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.store.TestStore;
import dev.syncguard.faults.teeth.Mutant;
import dev.syncguard.faults.teeth.Scenario;
import dev.syncguard.faults.teeth.Tooth;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Tries whether the checker catches a seeded bug: rounds until it does, and a round without the bug that must be green. */
public final class Bite {

    private static final int CLIENTS = 3;
    private static final int MOST_ROUNDS = 4;

    private final Path home;
    private final Path directory;
    private final Progress progress = new Progress(System.out);

    /**
     * What came of it.
     *
     * @param name of the bug
     * @param caught whether an expected invariant was broken
     * @param rounds how many rounds that took
     * @param seconds how long it took, start and judgement included
     * @param broken the invariants that were broken
     * @param first what was found first of the expected
     */
    public record Outcome(String name, boolean caught, int rounds, long seconds, List<String> broken, String first) {}

    /**
     * Prepares tries.
     *
     * @param home the repository
     * @param directory where mutants and histories go
     */
    public Bite(Path home, Path directory) {
        this.home = home;
        this.directory = directory;
    }

    /** Tries a bug. */
    public Outcome mutated(Tooth tooth) {
        Path mutant = directory.resolve("mutants").resolve(tooth.name());
        String classPath = "";
        if (!tooth.module().isEmpty()) {
            Mutant.build(home, tooth, mutant);
            classPath = mutant.toAbsolutePath() + File.pathSeparator;
        }
        long start = System.nanoTime();
        List<String> broken = List.of();
        String first = "";
        int rounds = 0;
        while (first.isEmpty() && rounds < MOST_ROUNDS) {
            rounds++;
            Judgement judgement = round(tooth.scene(), classPath, directory.resolve(tooth.name() + "-" + rounds));
            broken = judgement.violations().stream()
                    .map(Violation::invariant)
                    .distinct()
                    .toList();
            first = judgement.violations().stream()
                    .filter(violation -> tooth.expected().contains(violation.invariant()))
                    .map(violation -> violation.invariant() + ": " + violation.what())
                    .findFirst()
                    .orElse("");
        }
        long seconds = (System.nanoTime() - start) / 1_000_000_000;
        return new Outcome(tooth.name(), !first.isEmpty(), rounds, seconds, broken, first);
    }

    /** Plays a scenario without a bug. */
    public Judgement sound(Scenario scene, String name) {
        return round(scene, "", directory.resolve("sound-" + name));
    }

    private Judgement round(Scenario scene, String classPath, Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try (TestStore store = Stores.start(scene.store(), CLIENTS)) {
            Plan plan = new Plan(
                    scene.fenceMode(),
                    CLIENTS,
                    scene.workloads(),
                    Duration.ofSeconds(scene.seconds()),
                    100,
                    new Random().nextLong(),
                    classPath,
                    (any, faults) -> chosen(scene, any, faults));
            Judgement judgement = new Round(store, plan, folder, progress).run();
            Result.of(scene.store(), "TEETH", plan.seed(), scene.fenceMode().name(), judgement, List.of())
                    .write(folder);
            return judgement;
        }
    }

    private static List<Fault> chosen(Scenario scene, TestStore store, List<Fault> faults) {
        List<Fault> all = new ArrayList<>(faults);
        all.addAll(store.seededFaults());
        return all.stream()
                .filter(fault -> scene.faults().contains(fault.kind()))
                .toList();
    }
}
