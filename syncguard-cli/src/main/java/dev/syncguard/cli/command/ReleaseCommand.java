package dev.syncguard.cli.command;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.Output;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code syncguard release}. */
@Command(
        name = "release",
        sortOptions = false,
        description = "Releases a lock by its id.",
        footer = {
            "",
            "Exit codes: 0 released, 1 there was nothing to release.",
            "",
            "Examples:",
            "  echo \"$$id\" | syncguard release -",
            "  syncguard release kJ3vQ0m6rX1tYb8wZc2dEg"
        })
public final class ReleaseCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "LOCK_ID",
            description = "The lock id; - reads it from standard input, because arguments are public")
    private String lockId = "";

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private Output output = new Output();

    /** Made by picocli. */
    public ReleaseCommand() {}

    @Override
    public Integer call() {
        LockId parsed = KeyParameter.lockId(lockId);
        try (LockBackend backend = store.open()) {
            boolean released = backend.release(parsed, AbortSignal.none()) == ReleaseOutcome.RELEASED;
            output.answer(released ? "released" : "nothing to release", new Json().put("ok", released));
            return ExitCode.of(released);
        }
    }
}
