package dev.syncguard.cli.command;

import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.cli.run.CommandRun;
import dev.syncguard.cli.run.Executable;
import dev.syncguard.cli.run.Signals;
import dev.syncguard.cli.run.Supervision;
import dev.syncguard.cli.run.Supervision.OnLost;
import dev.syncguard.cli.run.Waiting;
import dev.syncguard.cli.run.Warden;
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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code syncguard run}. */
@Command(
        name = "run",
        sortOptions = false,
        customSynopsis = "syncguard run KEY [OPTIONS] -- COMMAND [ARGUMENTS…]",
        description = {
            "Waits for a lock, runs a command, and releases the lock.",
            "The lock is extended in the background. The command finds SYNCGUARD_KEY, SYNCGUARD_FENCE and"
                    + " SYNCGUARD_LOCK_ID in its environment; hand the fence to what the lock protects.",
            "INT, TERM and HUP go to the command. When the lock cannot be extended, the command gets TERM a grace"
                    + " period before the lease ends, and KILL when it ends."
        },
        footer = {
            "",
            "Exit codes: the command's own, 128 + N if signal N ended it; 75 the lock was not free in time; 2 wrong"
                    + " usage; 3 the store failed; 126, 127 as in a shell; 130, 143 interrupted while waiting.",
            "",
            "Examples:",
            "  syncguard run nightly-report -- ./report.sh",
            "  syncguard run deploy --wait 10m --ttl 60s -- make deploy",
            "  syncguard run cleanup --no-wait -- sh -c 'echo fence $$SYNCGUARD_FENCE'"
        })
public final class RunCommand implements Callable<Integer> {

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
            description = "How long to wait for the lock. Default: 5s")
    private Duration wait = Duration.ofSeconds(5);

    @Option(names = "--no-wait", description = "Try once")
    private boolean noWait;

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

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private Output output = new Output();

    /** Made by picocli. */
    public RunCommand() {}

    @Override
    public Integer call() {
        String normalized = KeyParameter.key(key).value();
        LockOptions options = LockOptions.defaults().ttl(ttl).autoExtend();
        Duration checkedGrace = grace();
        int missing = Executable.check(command.get(0));
        if (missing != 0) {
            output.note(
                    Style.BAD, missing == ExitCode.NOT_FOUND ? "command not found" : "the command is not executable");
            return missing;
        }
        Signals signals = Signals.install();
        LockOptions watched = options.onLost(loss -> signals.events().add(Signals.CHANGED))
                .onReleaseError(
                        e -> output.note(Style.WARN, "not released, the lock ends with its ttl: " + e.getMessage()));
        try (Warden warden = Warden.start(checkedGrace);
                SyncGuard guard = store.guard()) {
            Lease lease = new Waiting(guard, output, signals.abort()).acquire(normalized, watched, patience());
            return lease == null ? busy() : run(normalized, lease, signals, checkedGrace, warden);
        } catch (LockException e) {
            return signals.exitCode(e);
        }
    }

    private int run(String normalized, Lease lease, Signals signals, Duration checkedGrace, Warden warden) {
        CliLoggers.showWarnings();
        Supervision supervision = new Supervision(lease, signals, output, onLost, checkedGrace);
        int code;
        try (lease) {
            code = CommandRun.of(command, normalized, lease, supervision, warden, output);
        }
        report(new Json()
                .put("ok", code == 0)
                .put("exitCode", code)
                .put("fence", lease.fence().toString())
                .put("lost", lease.wasLost()));
        return code;
    }

    private int busy() {
        if (!output.isJson()) {
            output.note(Style.WARN, "the lock is held by somebody else; the command was not run");
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

    private Duration patience() {
        return noWait ? Duration.ZERO : wait;
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
