package dev.syncguard.benchmarks.redis;

import com.sun.management.OperatingSystemMXBean;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Contestant;
import dev.syncguard.benchmarks.harness.GuardCandidate;
import dev.syncguard.benchmarks.harness.Meter;
import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.harness.Plan;
import dev.syncguard.benchmarks.harness.Progress;
import dev.syncguard.benchmarks.harness.Role;
import dev.syncguard.benchmarks.harness.Sample;
import dev.syncguard.benchmarks.harness.Series;
import dev.syncguard.benchmarks.harness.Workload;
import dev.syncguard.redis.RedisLockBackend;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/** Very many leases of one process that renew themselves. */
record ExtendStorm() implements Workload {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final long WINDOW_SECONDS = GuardCandidate.TTL.toSeconds() / 3;
    private static final String REDISSON = "redisson RLock";
    private static final int AT_ONCE = 100;

    @Override
    public String title() {
        return "extend storm";
    }

    @Override
    public String note() {
        return "Ten thousand leases of 30 s (two thousand in the short mode) in one process, renewed by the library every"
                + " 10 s; figures for windows of 10 s, each of which has one renewal of every lease. *Renewed after* is the"
                + " oldest any lease became: from the moment its grant or last extension was sent until the next was"
                + " answered. One library after the other; Redisson's watchdog cannot be looked into.";
    }

    @Override
    public Metric main() {
        return Metric.CORE_SHARE;
    }

    @Override
    public List<String> series(Bed bed, Plan plan) {
        return List.of(Contestant.SYNCGUARD, REDISSON);
    }

    @Override
    public double seconds(Bed bed, Plan plan) {
        return 2 * (3 + (plan.windows() + 1.5) * WINDOW_SECONDS);
    }

    @Override
    public List<Series> run(Bed bed, Plan plan, Progress progress) throws Exception {
        RedisBed redis = (RedisBed) bed;
        return List.of(ours(redis, plan, progress), redisson(redis, plan, progress));
    }

    private static Series ours(RedisBed bed, Plan plan, Progress progress) throws Exception {
        RenewalWatch watch =
                new RenewalWatch(RedisLockBackend.connect(bed.server().url()));
        LockOptions renewing = LockOptions.defaults().ttl(GuardCandidate.TTL).autoExtend();
        try (SyncGuard guard = SyncGuard.of(watch)) {
            progress.at("ours");
            hold(plan.leases(), i -> guard.async().acquire("storm-" + i, renewing));
            List<Sample> samples = windows(bed.meter(), plan, sample -> {
                if (watch.failures() > 0 || watch.takeRenewals() < plan.leases() * 9L / 10) {
                    throw new IllegalStateException("leases were not renewed");
                }
                return sample.with(Metric.RENEWED_AFTER, watch.takeOldest() / 1e9);
            });
            return Series.of(Contestant.SYNCGUARD, Role.OURS, "renews every third of the ttl", samples);
        } finally {
            bed.server().command("FLUSHALL");
        }
    }

    private static Series redisson(RedisBed bed, Plan plan, Progress progress) throws Exception {
        try (RedissonCandidate redisson = RedissonCandidate.lock(bed.server().url())) {
            progress.at("redisson");
            hold(plan.leases(), i -> redisson.renewed("storm-" + i, i));
            List<Sample> samples = windows(bed.meter(), plan, UnaryOperator.identity());
            return Series.of(REDISSON, Role.PEER, "watchdog, in batches", samples);
        } finally {
            bed.server().command("FLUSHALL");
        }
    }

    private static void hold(int leases, IntFunction<CompletionStage<?>> lock) {
        for (int from = 0; from < leases; from += AT_ONCE) {
            List<CompletableFuture<?>> some = new ArrayList<>();
            for (int i = from; i < Math.min(leases, from + AT_ONCE); i++) {
                some.add(lock.apply(i).toCompletableFuture());
            }
            CompletableFuture.allOf(some.toArray(CompletableFuture[]::new)).join();
        }
    }

    /** Windows begin half-way between two waves of renewals; the first one warms up. */
    private static List<Sample> windows(Meter meter, Plan plan, UnaryOperator<Sample> more) throws Exception {
        List<Sample> samples = new ArrayList<>();
        TimeUnit.SECONDS.sleep(WINDOW_SECONDS / 2);
        for (int window = 0; window <= plan.windows(); window++) {
            double server = meter.cpuMicros();
            long start = System.nanoTime();
            long client = SYSTEM.getProcessCpuTime();
            TimeUnit.SECONDS.sleep(WINDOW_SECONDS);
            double share = 100.0 * (SYSTEM.getProcessCpuTime() - client) / (System.nanoTime() - start);
            Sample sample = more.apply(new Sample()
                    .with(Metric.CORE_SHARE, share)
                    .with(Metric.SERVER_CPU, (meter.cpuMicros() - server) / plan.leases()));
            if (window > 0) {
                samples.add(sample);
            }
        }
        return samples;
    }
}
