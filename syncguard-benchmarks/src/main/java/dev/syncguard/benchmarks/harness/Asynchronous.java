package dev.syncguard.benchmarks.harness;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Cycles in flight at the same time without threads, each on a key of its own.
 *
 * @param inFlight how many
 */
public record Asynchronous(int inFlight) implements Workload {

    @Override
    public String title() {
        return "asynchronous, " + inFlight + " in flight";
    }

    @Override
    public String note() {
        return "Acquire and release of keys that nobody else uses; each cycle begins when the one before it ends.";
    }

    @Override
    public Metric main() {
        return Metric.CYCLES;
    }

    @Override
    public List<String> series(Bed bed, Plan plan) {
        return bed.names(Skill.ASYNC);
    }

    @Override
    public double seconds(Bed bed, Plan plan) {
        return plan.seconds(bed.with(Skill.ASYNC).size());
    }

    @Override
    public List<Series> run(Bed bed, Plan plan, Progress progress) throws Exception {
        return Rounds.interleaved(
                bed.open(Skill.ASYNC), plan, progress, candidate -> measure(candidate, bed.meter(), plan));
    }

    private Sample measure(Candidate candidate, Meter meter, Plan plan) {
        Histogram times = Latencies.shared();
        Usage usage = new Usage(meter);
        long end = System.nanoTime() + plan.round().toNanos();
        CompletableFuture<?>[] chains = new CompletableFuture<?>[inFlight];
        for (int i = 0; i < inFlight; i++) {
            chains[i] = new Chain(candidate, "async-" + i, i + 1_000_000L, end, times).begin();
        }
        CompletableFuture.allOf(chains).join();
        return usage.stop().sample(Metric.CYCLES, times.getTotalCount()).with(times);
    }

    /** One cycle after the other. */
    private record Chain(
            Candidate candidate, String key, long owner, long end, Histogram times, CompletableFuture<Boolean> done) {

        Chain(Candidate candidate, String key, long owner, long end, Histogram times) {
            this(candidate, key, owner, end, times, new CompletableFuture<>());
        }

        CompletableFuture<Boolean> begin() {
            next();
            return done;
        }

        /** A cycle that is done at once must not deepen the stack, so the loop goes on here. */
        private void next() {
            long start = System.nanoTime();
            while (start - end < 0 && !done.isDone()) {
                CompletionStage<?> cycle = candidate.cycleAsync(key, owner);
                CompletableFuture<?> future = cycle.toCompletableFuture();
                if (!future.isDone()) {
                    long begun = start;
                    var unused = future.whenComplete((result, failure) -> {
                        ended(begun, failure);
                        next();
                    });
                    return;
                }
                ended(start, future.handle((result, failure) -> failure).join());
                start = System.nanoTime();
            }
            done.complete(true);
        }

        private void ended(long begun, @Nullable Throwable failure) {
            times.recordValue(System.nanoTime() - begun);
            if (failure != null) {
                done.completeExceptionally(failure);
            }
        }
    }
}
