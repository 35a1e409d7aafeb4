package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Contestant;
import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.harness.Plan;
import dev.syncguard.benchmarks.harness.Progress;
import dev.syncguard.benchmarks.harness.Rounds;
import dev.syncguard.benchmarks.harness.Sample;
import dev.syncguard.benchmarks.harness.Series;
import dev.syncguard.benchmarks.harness.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;

/** Eight JVMs, one thread each, a key each, one file. */
record SqliteProcesses() implements Workload {

    private static final int PROCESSES = 8;
    private static final int LONGER = 4;

    @Override
    public String title() {
        return "8 processes on one file";
    }

    @Override
    public String note() {
        return "Eight JVMs with one thread and one key each, through the facade; rounds four times as long as elsewhere."
                + " *Slowest/fastest* compares the processes of one round.";
    }

    @Override
    public Metric main() {
        return Metric.CYCLES;
    }

    @Override
    public List<String> series(Bed bed, Plan plan) {
        return List.of(Contestant.SYNCGUARD);
    }

    @Override
    public double seconds(Bed bed, Plan plan) {
        return 5 + LONGER * plan.round().toMillis() / 1e3 * (plan.warmUps() + plan.rounds());
    }

    @Override
    public List<Series> run(Bed bed, Plan plan, Progress progress) throws Exception {
        Path file = ((SqliteBed) bed).file("processes.db");
        List<SqliteWorker> workers = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                workers.add(new SqliteWorker(file, "process-" + i));
            }
            long millis = LONGER * plan.round().toMillis();
            Contestant ours = Contestant.ours(Contestant.SYNCGUARD, "");
            return Rounds.interleaved(Map.of(ours, workers), plan, progress, all -> measure(all, millis));
        } finally {
            workers.forEach(SqliteWorker::close);
        }
    }

    private static Sample measure(List<SqliteWorker> workers, long millis) throws Exception {
        for (SqliteWorker worker : workers) {
            worker.begin(millis);
        }
        LongSummaryStatistics cycles = new LongSummaryStatistics();
        for (SqliteWorker worker : workers) {
            cycles.accept(worker.cycles());
        }
        return new Sample()
                .with(Metric.CYCLES, cycles.getSum() * 1e3 / millis)
                .with(Metric.EVENNESS, (double) cycles.getMin() / Math.max(1, cycles.getMax()));
    }
}
