package dev.syncguard.cli.command;

import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.cli.run.CommandRun;
import dev.syncguard.cli.run.Executable;
import dev.syncguard.cli.run.LossText;
import dev.syncguard.cli.run.Patience;
import dev.syncguard.cli.run.Signals;
import dev.syncguard.cli.run.Supervision;
import dev.syncguard.cli.run.Supervision.OnLost;
import dev.syncguard.cli.run.Waiting;
import dev.syncguard.cli.run.Watchdog;
import dev.syncguard.cli.store.CliLoggers;
import dev.syncguard.cli.text.Durations;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.Output;
import dev.syncguard.cli.text.StandardStreams;
import dev.syncguard.cli.text.Style;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code syncguard run}. */
@Command(
        name = "run",
        sortOptions = false,
        customSynopsis = "syncguard run KEY [OPTIONS] -- COMMAND [ARGUMENTS…]",
        description = {
            "Waits for a lock, runs a command, and releases the lock.",
            "The lock is extended in the background. The command finds SYNCGUARD_KEY, SYNCGUARD_FENCE and"
                    + " SYNCGUARD_LOCK_ID in its environment; hand the fence to what the lock protects.",
            "INT, TERM, HUP, USR1 and USR2 go to the command. When the lock cannot be extended, the command gets TERM a"
                    + " grace period before the lease expires, and KILL when it expires.",
            "All that follows the command's name is passed to it as it is."
        },
        footer = {
            "",
            "Exit codes: the command's own, 128 + N if signal N ended it; 75 the lock was not free in time (0 with --once-per: another machine runs or has run it); 79 the"
                    + " lock was lost and the command was ended; 2 wrong usage; 3 the store or syncguard itself failed; 126,"
                    + " 127 as in a shell; 130, 143 interrupted while waiting.",
            "",
            "Examples:",
            "  syncguard run nightly-report -- ./report.sh",
            "  syncguard run deploy --wait 10m --ttl 60s -- make deploy",
            "  syncguard run nightly-report --once-per 1d --retry-on-failure -- ./report.sh",
            "  syncguard run import --hold-at-least 10m -- ./import.sh",
            "  syncguard run cleanup --no-wait -- sh -c 'echo fence $$SYNCGUARD_FENCE'"
        })
public final class RunCommand implements Callable<Integer> {

    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(5);
    private static final Duration LONGEST_BEAT = Duration.ofSeconds(1);

    @Parameters(index = "0", paramLabel = "KEY", description = "What to lock")
    private String key = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND", description = "What to run, after --")
    private List<String> command = List.of();

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "How long the lock outlives a crash of this process. Default: 30s")
    private Duration ttl = Duration.ofSeconds(30);

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "How long to wait for the lock, also through failures of the store. Default: 5s")
    private @Nullable Duration wait;

    @Option(names = "--no-wait", description = "Try once")
    private boolean noWait;

    @Option(names = "--fail-fast", description = "Do not wait for a store that fails")
    private boolean failFast;

    @Option(
            names = "--on-lost",
            paramLabel = "kill|warn",
            description = "What to do with the command when the lock is lost. Default: kill")
    private OnLost onLost = OnLost.KILL;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Time between TERM and KILL. Default: a quarter of the ttl, at most 10s")
    private @Nullable Duration grace;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private HoldOptions hold = new HoldOptions();

    @Mixin
    private LabelOptions label = new LabelOptions();

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private Output output = new Output();

    /** Made by picocli. */
    public RunCommand() {}

    @Override
    public Integer call() {
        String normalized = KeyParameter.key(key).value();
        LockOptions options = hold.applyTo(LockOptions.defaults().ttl(ttl).autoExtend());
        Duration checkedWait = waitAtMost();
        Duration checkedGrace = grace();
        int missing = Executable.check(command.get(0));
        if (missing != 0) {
            return notRun(missing == ExitCode.NOT_FOUND ? "command not found" : Executable.REFUSED, missing);
        }
        Signals signals = Signals.installForCommand();
        LockOptions watched = options.onLost(loss -> signals.events().add(Signals.CHANGED))
                .onReleaseError(
                        e -> output.note(Style.WARN, "not released, the lock ends with its ttl: " + e.getMessage()));
        Patience patience = hold.isOnce()
                ? Patience.withStore(checkedWait, failFast, signals.abort())
                : new Patience(checkedWait, failFast, signals.abort());
        try (Watchdog watchdog = Watchdog.start(
                        checkedGrace, beat(), () -> signals.events().add(Signals.CHANGED));
                SyncGuard guard = patience.open(() -> label.guard(store))) {
            Lease lease = new Waiting(guard, output, patience).acquire(normalized, watched);
            return lease == null ? busy() : run(normalized, lease, signals, checkedGrace, watchdog);
        } catch (LockException e) {
            return signals.exitCode(e);
        }
    }

    private int run(String normalized, Lease lease, Signals signals, Duration checkedGrace, Watchdog watchdog) {
        CliLoggers.showWarnings();
        LossText text = new LossText(normalized);
        Supervision supervision = new Supervision(lease, signals, output, text, onLost, checkedGrace, beat());
        int code;
        try (lease) {
            code = CommandRun.of(command, normalized, lease, supervision, watchdog, output);
            hold.ended(lease, code);
        }
        report(new Json()
                .put("ok", code == 0)
                .put("exitCode", code)
                .put("fence", lease.fence().toString())
                .put("lost", code == ExitCode.LOST || lease.wasLost()));
        return code;
    }

    private int notRun(String reason, int code) {
        report(new Json()
                .put("ok", false)
                .put("error", Code.INVALID_ARGUMENT.specName())
                .put("message", reason));
        output.note(Style.BAD, reason);
        return code;
    }

    private int busy() {
        if (hold.isOnce()) {
            report(new Json().put("ok", true).put("skipped", true));
            return ExitCode.YES;
        }
        if (!output.isJson()) {
            output.note(Style.WARN, "the lock is held by another client; the command was not run");
        }
        report(new Json().put("ok", false).put("reason", "locked"));
        return ExitCode.BUSY;
    }

    /** Standard output belongs to the command. */
    private void report(Json json) {
        if (output.isJson()) {
            StandardStreams.err(json + "\n");
        }
    }

    private Duration waitAtMost() {
        boolean isGiven = spec.commandLine().getParseResult().hasMatchedOption("--wait"); // not by the config file
        if (hold.isOnce() && isGiven) {
            throw new LockException(Code.INVALID_ARGUMENT, "--once-per does not wait: leave out --wait");
        }
        if (noWait) {
            return Duration.ZERO;
        }
        return wait == null || hold.isOnce() ? DEFAULT_WAIT : wait;
    }

    /** How often the watchdog is told that all is well: often enough that it always knows of the last renewal. */
    private Duration beat() {
        Duration tenth = ttl.dividedBy(10);
        return tenth.compareTo(LONGEST_BEAT) < 0 ? tenth : LONGEST_BEAT;
    }

    private Duration grace() {
        Duration quarter = ttl.dividedBy(4);
        if (grace == null) {
            return quarter.compareTo(Duration.ofSeconds(10)) < 0 ? quarter : Duration.ofSeconds(10);
        }
        if (grace.compareTo(ttl.dividedBy(2)) > 0) {
            throw new LockException(Code.INVALID_ARGUMENT, "the grace period is at most half of the ttl");
        }
        return grace;
    }
}
