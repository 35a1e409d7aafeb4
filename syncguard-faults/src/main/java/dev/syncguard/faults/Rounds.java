package dev.syncguard.faults;

import dev.syncguard.FenceMode;
import dev.syncguard.faults.checker.Coverage;
import dev.syncguard.faults.checker.Judgement;
import dev.syncguard.faults.checker.Violation;
import dev.syncguard.faults.store.TestStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rounds of a run, with counters as fences and with fences floored by time in turn, and the sum of what they saw. */
final class Rounds implements Runnable {

    private static final int MOST_VIOLATIONS = 200;

    private final Gate gate;
    private final TestStore running;
    private final String store;
    private final Random seeds;
    private final Duration length;
    private final Path directory;
    private final Progress progress;
    private final Set<String> modes = new LinkedHashSet<>();
    private final List<Violation> violations = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();
    private Coverage coverage = Coverage.NONE;
    private volatile boolean aborted;
    private volatile @Nullable Round current;

    Rounds(Gate gate, TestStore running, String store, long seed, Duration length, Path directory, Progress progress) {
        this.gate = gate;
        this.running = running;
        this.store = store;
        this.seeds = new Random(seed);
        this.length = length;
        this.directory = directory;
        this.progress = progress;
    }

    @Override
    public void run() {
        int first = seeds.nextInt(2);
        for (int i = 0; i < gate.rounds(length) && !aborted; i++) {
            FenceMode mode = (i + first) % 2 == 0 ? FenceMode.COUNTER : FenceMode.TIME_FLOORED;
            long roundSeed = seeds.nextLong();
            Path folder = directory.resolve(String.format("round-%03d", i + 1));
            try {
                Files.createDirectories(folder);
                add(mode, round(folder, mode, roundSeed), roundSeed, folder);
            } catch (RuntimeException e) {
                if (!aborted) {
                    fail(folder, e);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Judgement round(Path folder, FenceMode mode, long roundSeed) {
        Plan plan = new Plan(
                mode,
                gate.clients(),
                Plan.ALL_WORKLOADS,
                length.dividedBy(gate.rounds(length)),
                length.compareTo(Gate.COMMIT.length()) > 0 ? 700 : 100,
                roundSeed,
                "",
                (any, faults) -> faults);
        Round round = new Round(running, plan, folder, progress);
        current = round;
        return round.run();
    }

    private synchronized void add(FenceMode mode, Judgement judgement, long roundSeed, Path folder) {
        modes.add(mode.name());
        coverage = coverage.plus(judgement.coverage());
        judgement.violations().stream()
                .limit(Math.max(0, MOST_VIOLATIONS - violations.size()))
                .forEach(violations::add);
        broken.addAll(judgement.broken());
        Result.of(store, gate.name(), roundSeed, mode.name(), judgement, List.of())
                .write(folder);
    }

    private synchronized void fail(Path folder, RuntimeException failure) {
        broken.add(folder.getFileName() + ": " + failure);
    }

    /** Ends the round that is under way. Of what it has seen so far, only safety is judged. */
    void abort() {
        aborted = true;
        Round round = current;
        if (round != null) {
            round.abort();
        }
    }

    synchronized Judgement judgement() {
        return new Judgement(coverage, List.copyOf(violations), List.copyOf(broken));
    }

    synchronized String fenceModes() {
        return String.join(" and ", modes);
    }
}
