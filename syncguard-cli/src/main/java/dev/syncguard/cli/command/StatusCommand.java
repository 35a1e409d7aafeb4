package dev.syncguard.cli.command;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockKey;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.Output;
import dev.syncguard.spi.LockBackend;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code syncguard status}. */
@Command(
        name = "status",
        sortOptions = false,
        description = "Shows whether a key is locked.",
        footer = {
            "",
            "Exit codes: 0 locked, 1 free.",
            "",
            "Examples:",
            "  syncguard status nightly-report && echo held",
            "  syncguard status nightly-report --format json"
        })
public final class StatusCommand implements Callable<Integer> {

    @Parameters(paramLabel = "KEY", description = "The key")
    private String key = "";

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private Output output = new Output();

    /** Made by picocli. */
    public StatusCommand() {}

    @Override
    public Integer call() {
        LockKey parsed = KeyParameter.key(key);
        try (LockBackend backend = store.open()) {
            boolean locked = backend.isLocked(parsed, AbortSignal.none());
            output.answer(locked ? "locked" : "free", new Json().put("locked", locked));
            return ExitCode.of(locked);
        }
    }
}
