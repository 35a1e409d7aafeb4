package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.Contended;
import dev.syncguard.Lease;
import dev.syncguard.SyncGuard;
import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Contestant;
import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.harness.Plan;
import dev.syncguard.benchmarks.harness.Progress;
import dev.syncguard.benchmarks.harness.Rounds;
import dev.syncguard.benchmarks.harness.Sample;
import dev.syncguard.benchmarks.harness.Series;
import dev.syncguard.benchmarks.harness.Workload;
import dev.syncguard.postgres.PostgresNames;
import java.util.List;
import java.util.Map;

/** Single attempts on a key that is held: what they cost, and what they write. */
record Refusals() implements Workload {

    private static final int ATTEMPTS = 500;

    @Override
    public String title() {
        return "refused attempts";
    }

    @Override
    public String note() {
        return "Five hundred attempts in each round on a key whose holder committed before; WAL of the whole server for one"
                + " of them. The median counts: now and then the server writes some of its own.";
    }

    @Override
    public Metric main() {
        return Metric.WAL;
    }

    @Override
    public List<String> series(Bed bed, Plan plan) {
        return List.of(Contestant.SYNCGUARD);
    }

    @Override
    public double seconds(Bed bed, Plan plan) {
        return 2;
    }

    @Override
    public List<Series> run(Bed bed, Plan plan, Progress progress) throws Exception {
        PostgresBed postgres = (PostgresBed) bed;
        PostgresMeter meter = (PostgresMeter) bed.meter();
        try (HikariDataSource pool = postgres.pool(3);
                SyncGuard guard = SyncGuard.of(PostgresBed.backend(pool, PostgresNames.defaults()));
                Lease held = guard.acquire("refused")) {
            List<Series> series = Rounds.interleaved(
                    Map.of(Contestant.ours(Contestant.SYNCGUARD, ""), guard),
                    plan,
                    progress,
                    asking -> measure(asking, meter));
            held.ensureValid();
            return series;
        }
    }

    private static Sample measure(SyncGuard guard, PostgresMeter meter) throws Exception {
        double before = wal(meter);
        for (int i = 0; i < ATTEMPTS; i++) {
            if (!(guard.tryAcquire("refused") instanceof Contended)) {
                throw new IllegalStateException("granted");
            }
        }
        return new Sample().with(Metric.WAL, (wal(meter) - before) / ATTEMPTS);
    }

    private static double wal(PostgresMeter meter) throws Exception {
        return Double.parseDouble(meter.text("SELECT pg_current_wal_insert_lsn() - '0/0'"));
    }
}
