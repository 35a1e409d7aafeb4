package dev.syncguard.cli.command;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.SyncGuard;
import dev.syncguard.cli.text.Whoami;
import dev.syncguard.spi.LockBackend;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the lock says about who holds it. */
public final class LabelOptions {

    @Option(
            names = "--label",
            paramLabel = "TEXT",
            description = "Who holds the lock, for operators who look at it. Default: host:pid:user")
    private @Nullable String label;

    @Option(names = "--no-label", description = "Do not say who holds the lock")
    private boolean noLabel;

    /** Made by picocli. */
    public LabelOptions() {}

    /** Opens the store for a command that holds a lock. */
    SyncGuard guard(StoreOptions store) {
        if (noLabel && label != null) {
            throw new LockException(Code.INVALID_ARGUMENT, "give --label or --no-label, not both");
        }
        LockBackend backend = store.open();
        try {
            return noLabel
                    ? SyncGuard.of(backend)
                    : SyncGuard.builder(backend)
                            .label(label != null ? label : Whoami.text())
                            .build();
        } catch (RuntimeException e) {
            backend.close();
            throw e;
        }
    }
}
