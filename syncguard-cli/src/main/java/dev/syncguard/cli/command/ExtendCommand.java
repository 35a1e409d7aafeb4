package dev.syncguard.cli.command;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.Ttl;
import dev.syncguard.cli.text.Durations;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.Output;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code syncguard extend}. */
@Command(
        name = "extend",
        sortOptions = false,
        description = "Extends a lock by its id. The new time replaces what is left of the old one.",
        footer = {
            "",
            "Exit codes: 0 extended, 1 the lock had expired or was released.",
            "",
            "Examples:",
            "  echo \"$$id\" | syncguard extend - --ttl 10m"
        })
public final class ExtendCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "LOCK_ID",
            description = "The lock id; - reads it from standard input, because arguments are public")
    private String lockId = "";

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "How long the lock lasts from now. Default: 30s")
    private Duration ttl = Duration.ofSeconds(30);

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private Output output = new Output();

    /** Made by picocli. */
    public ExtendCommand() {}

    @Override
    public Integer call() {
        Ttl checked = Ttl.of(ttl);
        LockId parsed = KeyParameter.lockId(lockId);
        try (LockBackend backend = store.open()) {
            ExtendOutcome outcome = backend.extend(parsed, checked, AbortSignal.none());
            if (outcome instanceof Extended extended) {
                output.answer(
                        "extended, lasts " + Durations.text(extended.remainingMs()),
                        new Json().put("ok", true).put("expiresAtMs", extended.expiresAtMs()));
                return ExitCode.YES;
            }
            output.answer("the lock had expired or was released", new Json().put("ok", false));
            return ExitCode.NO;
        }
    }
}
