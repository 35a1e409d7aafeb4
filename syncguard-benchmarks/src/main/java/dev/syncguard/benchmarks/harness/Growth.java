package dev.syncguard.benchmarks.harness;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Our cycles in stores that hold more and more locks, each store with a counter for every lock. */
public record Growth() implements Workload {

    /** What goals compare. */
    public static final int FEWEST = 1000;

    /** Likewise. */
    public static final int MOST = 1_000_000;

    private static final int FREE_KEYS = 1000;
    private static final double LOAD_SECONDS_PER_MILLION = 20;

    @Override
    public String title() {
        return "growth";
    }

    @Override
    public String note() {
        return "Acquire and release through the facade on one thread, a thousand free keys in random order, in stores that"
                + " were filled beforehand in the stored format. All sizes side by side.";
    }

    @Override
    public Metric main() {
        return Metric.P50;
    }

    @Override
    public String reference() {
        return name(FEWEST);
    }

    /** Returns the series of a size. */
    public static String name(int locks) {
        return String.format(Locale.ROOT, "%,d held", locks);
    }

    @Override
    public List<String> series(Bed bed, Plan plan) {
        return plan.sizes().stream().map(Growth::name).toList();
    }

    @Override
    public double seconds(Bed bed, Plan plan) {
        int all = plan.sizes().stream().mapToInt(size -> size).sum();
        return plan.seconds(plan.sizes().size()) + all * LOAD_SECONDS_PER_MILLION / MOST;
    }

    @Override
    public List<Series> run(Bed bed, Plan plan, Progress progress) throws Exception {
        Map<Contestant, Bed.Grown> stores = new LinkedHashMap<>();
        for (int size : plan.sizes()) {
            progress.at("filling with " + size);
            stores.put(Contestant.ours(name(size), ""), bed.grown(size));
        }
        return Rounds.interleaved(
                stores,
                plan,
                progress,
                store -> Uncontended.measure(store.candidate(), 1, thread -> Growth::freeKey, Meter.BLIND, plan)
                        .with(Metric.STORED, store.bytesPerLock()));
    }

    private static String freeKey() {
        return "free-" + ThreadLocalRandom.current().nextInt(FREE_KEYS);
    }
}
