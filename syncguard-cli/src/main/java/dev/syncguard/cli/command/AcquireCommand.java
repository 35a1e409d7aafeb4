package dev.syncguard.cli.command;

import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.cli.run.Patience;
import dev.syncguard.cli.run.Signals;
import dev.syncguard.cli.run.Waiting;
import dev.syncguard.cli.text.Durations;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.Output;
import dev.syncguard.cli.text.StandardStreams;
import dev.syncguard.cli.text.Style;
import dev.syncguard.cli.text.Terminal;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code syncguard acquire}. */
@Command(
        name = "acquire",
        sortOptions = false,
        description = {
            "Acquires a lock and leaves it held: it lasts until it is released or expires.",
            "Prints the lock id, which is the right to release and extend the lock: keep it secret."
        },
        footer = {
            "",
            "Exit codes: 0 acquired, 1 held by another client.",
            "",
            "Examples:",
            "  id=$$(syncguard acquire maintenance --ttl 10m) || exit",
            "  syncguard acquire maintenance --wait 30s --format json"
        })
public final class AcquireCommand implements Callable<Integer> {

    @Parameters(paramLabel = "KEY", description = "What to lock")
    private String key = "";

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "How long the lock lasts. Default: 30s")
    private Duration ttl = Duration.ofSeconds(30);

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "How long to wait for the lock, also through failures of the store. Default: not at all")
    private Duration wait = Duration.ZERO;

    @Option(names = "--fail-fast", description = "Do not wait for a store that fails")
    private boolean failFast;

    @Mixin
    private LabelOptions label = new LabelOptions();

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private Output output = new Output();

    /** Made by picocli. */
    public AcquireCommand() {}

    @Override
    public Integer call() {
        String normalized = KeyParameter.key(key).value();
        LockOptions options = LockOptions.defaults().ttl(ttl);
        Signals signals = Signals.install();
        Patience patience = new Patience(wait, failFast, signals.abort());
        try (SyncGuard guard = patience.open(() -> label.guard(store))) {
            Lease lease = new Waiting(guard, output, patience).acquire(normalized, options);
            if (lease == null) {
                return busy();
            }
            show(lease);
            return ExitCode.YES;
        } catch (LockException e) {
            return signals.exitCode(e);
        }
    }

    private int busy() {
        if (output.isJson()) {
            output.line(new Json().put("ok", false).put("reason", "locked").toString());
        } else {
            output.note(Style.WARN, "the lock is held by another client");
        }
        return ExitCode.NO;
    }

    /** A lock whose id nobody got would block everybody: it is given back. */
    private void show(Lease lease) {
        try {
            output.answer(
                    lease.lockId().value(),
                    new Json()
                            .put("ok", true)
                            .put("lockId", lease.lockId().value())
                            .put("fence", lease.fence().toString())
                            .put("expiresAtMs", lease.expiresAtMs()));
        } catch (RuntimeException e) {
            lease.close();
            throw e;
        }
        if (!output.isJson() && Terminal.is(2)) {
            StandardStreams.err(Style.FAINT.paint(
                    "fence " + lease.fence() + ", lasts " + Durations.text(ttl.toMillis()) + "\n",
                    output.hasColours(2)));
        }
    }
}
