package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.harness.Plan;
import dev.syncguard.benchmarks.report.Report;
import dev.syncguard.benchmarks.report.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command: measures, and writes RESULTS.md, results.json and the plots. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Measures SyncGuard beside other libraries and writes RESULTS.md, results.json and plots.")
public final class Benchmarks implements Callable<Integer> {

    @Option(
            names = "--short",
            description = "A few minutes, to see that everything works; the figures are worth little.")
    private boolean brief;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "STORE",
            description = "Only these stores: ${COMPLETION-CANDIDATES}.",
            completionCandidates = Stores.class)
    private List<String> only = List.of();

    @Option(
            names = "--workload",
            paramLabel = "TEXT",
            description = "Only workloads whose title contains this, for example 'hand-over'.")
    private String workload = "";

    @Option(names = "--render", description = "No run: writes the page again from results.json.")
    private boolean render;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where to write (default: ${DEFAULT-VALUE}).",
            defaultValue = "benchmark-results")
    private Path out = Path.of("benchmark-results");

    /**
     * Runs the command.
     *
     * @param arguments see {@code --help}
     */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Benchmarks())
                .setOverwrittenOptionsAllowed(true)
                .execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Files.createDirectories(out);
        Path json = out.resolve("results.json");
        if (render) {
            Report.write(Results.read(json), out);
            return 0;
        }
        Run run = new Run(brief ? "short" : "full", brief ? Plan.brief() : Plan.full(), Stores.chosen(only), workload);
        run.measure(results -> {
            results.write(json);
            Report.write(results, out);
        });
        return 0;
    }
}
