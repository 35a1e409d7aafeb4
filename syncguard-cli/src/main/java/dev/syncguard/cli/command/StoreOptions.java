package dev.syncguard.cli.command;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.SyncGuard;
import dev.syncguard.cli.store.Backends;
import dev.syncguard.cli.store.StoreAddress;
import dev.syncguard.spi.LockBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the locks are. */
public final class StoreOptions {

    @Option(
            names = {"-b", "--backend"},
            paramLabel = "URL",
            description = {
                "Where the locks are: sqlite:PATH, redis://…, rediss://…, redis-sentinel://…, redis-cluster://…,"
                        + " postgresql://…, firestore://PROJECT, memory:.",
                "Default: $$SYNCGUARD_BACKEND, or a file in your state directory"
            })
    private @Nullable String backend;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "Holds the store's password, else $$SYNCGUARD_PASSWORD")
    private @Nullable String passwordFile;

    @Option(names = "--prefix", paramLabel = "P", description = "Key prefix on Redis. Default: syncguard")
    private @Nullable String prefix;

    /** Made by picocli. */
    public StoreOptions() {}

    /**
     * Opens the store.
     *
     * @return the store, to be closed
     * @throws LockException if that fails
     */
    public LockBackend open() {
        return Backends.open(new StoreAddress(url(), password(), prefix));
    }

    /**
     * Opens the store for commands that hold locks.
     *
     * @return a guard, to be closed
     * @throws LockException if that fails
     */
    public SyncGuard guard() {
        return SyncGuard.of(open());
    }

    private String url() {
        if (backend != null) {
            return backend;
        }
        String variable = System.getenv("SYNCGUARD_BACKEND");
        return variable == null || variable.isEmpty() ? "sqlite:" : variable;
    }

    private @Nullable String password() {
        if (passwordFile == null) {
            return System.getenv("SYNCGUARD_PASSWORD");
        }
        try {
            return Files.readString(Path.of(passwordFile)).lines().findFirst().orElse("");
        } catch (IOException | InvalidPathException e) {
            throw new LockException(Code.INVALID_ARGUMENT, "the password file cannot be read", e);
        }
    }
}
