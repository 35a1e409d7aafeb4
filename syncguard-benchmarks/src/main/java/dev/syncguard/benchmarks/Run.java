package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Meter;
import dev.syncguard.benchmarks.harness.Plan;
import dev.syncguard.benchmarks.harness.Series;
import dev.syncguard.benchmarks.harness.Workload;
import dev.syncguard.benchmarks.report.Machine;
import dev.syncguard.benchmarks.report.Results;
import dev.syncguard.benchmarks.report.Results.Measured;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One run, store by store. */
final class Run {

    private final String mode;
    private final Plan plan;
    private final List<Bed> beds;
    private final String wanted;
    private final Clock clock;
    private final Map<String, String> machine = Machine.describe();
    private final String date =
            ZonedDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'"));
    private final List<Measured> measured = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final Map<String, String> versions = Versions.read();

    Run(String mode, Plan plan, List<Bed> beds, String wanted) {
        this.mode = mode;
        this.plan = plan;
        this.beds = beds;
        this.wanted = wanted;
        this.clock = new Clock(beds.stream()
                .flatMapToDouble(bed -> workloads(bed).stream().mapToDouble(workload -> workload.seconds(bed, plan)))
                .sum());
    }

    private List<Workload> workloads(Bed bed) {
        return bed.workloads().stream()
                .filter(workload -> workload.title().contains(wanted))
                .toList();
    }

    /** Measures, and hands on what there is after each part: a run that breaks off is not lost. */
    void measure(Saving saving) throws Exception {
        machine.put("load average at the start", Machine.load());
        for (Bed bed : beds) {
            if (!workloads(bed).isEmpty()) {
                measure(bed, saving);
            }
        }
    }

    /** Keeps results. */
    @FunctionalInterface
    interface Saving {
        void save(Results results) throws IOException;
    }

    private void measure(Bed bed, Saving saving) throws Exception {
        try (bed) {
            attempt(bed.store() + ", starting", () -> {
                bed.start();
                versions.putAll(bed.versions());
            });
            for (Workload workload : workloads(bed)) {
                attempt(bed.store() + ", " + workload.title(), () -> measure(bed, workload));
                machine.put("load average at the end", Machine.load());
                saving.save(new Results(date, mode, machine, versions, measured, failures));
            }
        }
    }

    /** A candidate that fails costs its workload, not the run. */
    private void attempt(String what, Meter.Action action) {
        try {
            action.run();
        } catch (Exception e) {
            failures.add(what + ": " + e);
            e.printStackTrace();
        }
    }

    private void measure(Bed bed, Workload workload) throws Exception {
        String name = bed.store() + ": " + workload.title();
        long start = System.nanoTime();
        List<Series> series = workload.run(bed, plan, what -> clock.tell(name + ", " + what));
        double seconds = (System.nanoTime() - start) / 1e9;
        clock.done(workload.seconds(bed, plan), seconds);
        measured.add(new Measured(
                bed.store(),
                workload.title(),
                workload.note(),
                workload.main(),
                workload.reference(),
                seconds,
                series));
    }
}
