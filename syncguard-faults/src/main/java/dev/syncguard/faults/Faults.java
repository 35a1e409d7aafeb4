package dev.syncguard.faults;

import dev.syncguard.faults.checker.Coverage;
import dev.syncguard.faults.checker.Judgement;
import dev.syncguard.faults.checker.Violation;
import dev.syncguard.faults.recovery.RecoveryRun;
import dev.syncguard.faults.report.Report;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of the fault suite. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Breaks stores, networks and clients while locks are used, and judges the histories.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:every promise was kept, and enough was seen",
            " 1:a promise was broken",
            " 2:wrong usage",
            " 3:the suite itself failed",
            " 4:inconclusive: no promise was broken, but too little was seen"
        })
public final class Faults {

    private Faults() {}

    /**
     * Runs a command.
     *
     * @param args see {@code --help}
     */
    public static void main(String[] args) {
        CommandLine commandLine = new CommandLine(new Faults());
        commandLine.setExecutionExceptionHandler((failure, command, result) -> {
            failure.printStackTrace();
            return Verdict.BROKEN.exitCode();
        });
        System.exit(commandLine.execute(args));
    }

    @Command(description = "The gate of every commit: under a minute for each store.")
    int commit(@CommandLine.Mixin Choice choice) {
        return choice.run(Gate.COMMIT);
    }

    @Command(description = "The gate of every night: an hour for each store.")
    int nightly(@CommandLine.Mixin Choice choice) {
        return choice.run(Gate.NIGHTLY);
    }

    @Command(description = "The gate of a release: four hours for each store.")
    int release(@CommandLine.Mixin Choice choice) {
        return choice.run(Gate.RELEASE);
    }

    @Command(description = "Judges the kept history of a run or a round again.")
    int check(@Parameters(paramLabel = "DIR", description = "the directory of a run or a round") Path directory) {
        Progress progress = new Progress(System.out);
        if (JudgedAgain.isRun(directory)) {
            Result result = JudgedAgain.run(directory);
            progress.tell(result.coverage());
            tell(progress, result.violations(), result.broken());
            progress.say(result.verdict() + ", see " + Report.write(directory));
            return result.verdict().exitCode();
        }
        Judgement judgement = Judgement.of(directory);
        progress.tell(judgement.coverage());
        tell(progress, judgement.violations(), judgement.broken());
        return judgement.violations().isEmpty() ? 0 : 1;
    }

    @Command(description = "Draws the page of a kept run or round again.")
    int report(@Parameters(paramLabel = "DIR", description = "the directory of a run or a round") Path directory) {
        System.out.println(Report.write(directory));
        return 0;
    }

    @Command(description = "Every seeded bug must be caught, and nothing be found without it.")
    int teeth(
            @Parameters(paramLabel = "NAME", arity = "0..*", description = "which; all if none is named")
                    List<String> names,
            @Option(names = "--out", description = "where histories go") @Nullable Path out) {
        Path directory = (out == null ? Path.of("faults-runs") : out)
                .resolve("teeth-" + stamp())
                .toAbsolutePath();
        return new TeethRun(Path.of(System.getProperty("syncguard.home", ".")), directory).run(names);
    }

    @Command(description = "Measures how soon locks are granted after a failure, and what 100,000 timeouts leave.")
    int recovery(
            @Option(names = "--share", defaultValue = "1", description = "of the restarts and timeouts; 1 if not set")
                    double share) {
        return (RecoveryRun.run(share) ? Verdict.GREEN : Verdict.RED).exitCode();
    }

    @Command(description = "Draws the page of a run without links, to be kept apart from its rounds.")
    int keep(
            @Parameters(paramLabel = "DIR", description = "the directory of a run") Path directory,
            @Parameters(paramLabel = "FILE", description = "the page") Path page) {
        Report.keep(directory, page);
        return 0;
    }

    private static String stamp() {
        return LocalDateTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
    }

    /** What a gate is run on. */
    static final class Choice {
        @Option(
                names = "--store",
                description = "one of ${COMPLETION-CANDIDATES}; all of them if not set",
                completionCandidates = Names.class)
        private @Nullable String store;

        @Option(names = "--seed", description = "repeats the draws of another run")
        private @Nullable Long seed;

        @Option(names = "--minutes", description = "another length than that of the gate")
        private @Nullable Double minutes;

        @Option(names = "--out", description = "where histories and results go")
        private @Nullable Path out;

        int run(Gate gate) {
            List<String> stores = store == null ? Stores.NAMES : List.of(store);
            if (!Stores.NAMES.containsAll(stores)) {
                System.err.println("no such store: " + store);
                return CommandLine.ExitCode.USAGE;
            }
            int worst = 0;
            for (String name : stores) {
                worst = Math.max(worst, run(gate, name));
            }
            return worst;
        }

        private int run(Gate gate, String name) {
            Progress progress = new Progress(System.out);
            long chosen = seed == null ? new Random().nextInt(1_000_000) : seed;
            Path directory = (out == null ? Path.of("faults-runs") : out)
                    .resolve(name + "-" + stamp())
                    .toAbsolutePath();
            progress.say(gate + " on " + name + ", seed " + chosen + ", history in " + directory);
            Duration length = minutes == null ? gate.length() : Duration.ofSeconds((long) (minutes * 60));
            Result result = new Run(gate, name, chosen, length, directory, progress).run();
            Coverage coverage = result.coverage();
            progress.tell(coverage);
            tell(progress, result.violations(), result.broken());
            result.missing().forEach(missing -> progress.say("not enough: " + missing));
            progress.say(result.verdict() + " " + name + ", see " + Report.write(directory));
            return result.verdict().exitCode();
        }
    }

    private static void tell(Progress progress, List<Violation> violations, List<String> broken) {
        for (Violation violation : violations.subList(0, Math.min(20, violations.size()))) {
            progress.say(violation.invariant() + " " + violation.key() + ": " + violation.what());
            violation.events().forEach(event -> progress.say("    " + event));
        }
        progress.say(violations.size() + " violations");
        broken.forEach(line -> progress.say("the suite itself: " + line));
    }

    /** The names of the stores, for the help. */
    static final class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Names() {
            super(Stores.NAMES);
        }
    }
}
