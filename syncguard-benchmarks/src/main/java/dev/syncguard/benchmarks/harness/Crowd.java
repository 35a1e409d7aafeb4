package dev.syncguard.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Very many threads of one process that wait for one key; each gets it once. */
public record Crowd() implements Workload {

    private static final int ROUNDS = 5;
    private static final long GATHER_MILLIS = 300;
    private static final double SECONDS_EACH = 2;

    @Override
    public String title() {
        return "waiting crowd";
    }

    @Override
    public String note() {
        return "One thousand threads (two hundred in the short mode) queue on a key that is held for 300 ms more, then each"
                + " gets it once and gives it back at once. Counted and timed in the same pass.";
    }

    @Override
    public Metric main() {
        return Metric.GRANTS;
    }

    @Override
    public List<String> series(Bed bed, Plan plan) {
        return bed.names(Skill.WAIT);
    }

    @Override
    public double seconds(Bed bed, Plan plan) {
        return (1 + ROUNDS) * bed.with(Skill.WAIT).size() * SECONDS_EACH * plan.crowd() / 1000;
    }

    @Override
    public List<Series> run(Bed bed, Plan plan, Progress progress) throws Exception {
        return Rounds.interleaved(
                bed.open(Skill.WAIT),
                plan.rounds(1, ROUNDS),
                progress,
                candidate -> measure(candidate, bed.meter(), plan.crowd()));
    }

    private static Sample measure(Candidate candidate, Meter meter, int size) throws Exception {
        try (Crew crew = new Crew(size)) {
            long start = System.nanoTime();
            double commands = meter.commands(() -> gather(candidate, crew));
            double seconds = (System.nanoTime() - start) / 1e9 - GATHER_MILLIS / 1e3;
            return new Sample().with(Metric.GRANTS, size / seconds).with(Metric.COMMANDS, commands / (size + 1));
        }
    }

    private static void gather(Candidate candidate, Crew crew) throws Exception {
        List<Future<?>> waiting = new ArrayList<>();
        candidate.locked("crowd", () -> {
            waiting.addAll(crew.start(number -> candidate.locked("crowd", Candidate.NOTHING)));
            pause();
        });
        Crew.join(waiting);
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(GATHER_MILLIS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
