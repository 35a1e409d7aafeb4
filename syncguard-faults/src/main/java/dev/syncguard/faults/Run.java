package dev.syncguard.faults;

import dev.syncguard.faults.checker.Judgement;
import dev.syncguard.faults.store.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A gate on one store: some rounds, and one result, within a bound of time. */
final class Run {

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
        long start = System.nanoTime();
        Duration limit = Gate.limit(length);
        try (TestStore running = Stores.start(store, gate.clients())) {
            Rounds rounds = new Rounds(gate, running, store, seed, length, directory, progress);
            Thread thread = Life.thread("rounds", rounds);
            Duration left = limit.minusNanos(System.nanoTime() - start);
            boolean inTime = ended(thread, left);
            if (!inTime) {
                rounds.abort();
                ended(thread, limit.dividedBy(5)); // what the round that was cut off has seen is judged, too
            }
            return result(rounds, inTime ? "" : "time: not done within " + limit.toSeconds() + " s");
        }
    }

    private Result result(Rounds rounds, String late) {
        Judgement judgement = rounds.judgement();
        List<String> missing = new ArrayList<>(gate.missing(store, judgement.coverage()));
        if (length.compareTo(gate.length()) < 0) {
            missing.add("length: " + minutes(length) + " of " + minutes(gate.length()) + " minutes");
        }
        if (!late.isEmpty()) {
            missing.add(late);
        }
        Result result = Result.of(store, gate.name(), seed, rounds.fenceModes(), judgement, missing);
        result.write(directory);
        return result;
    }

    private static String minutes(Duration length) {
        return String.format(Locale.ROOT, "%.1f", length.toMillis() / 60_000.0);
    }

    private static boolean ended(Thread thread, Duration limit) {
        try {
            thread.join(Math.max(1, limit.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
