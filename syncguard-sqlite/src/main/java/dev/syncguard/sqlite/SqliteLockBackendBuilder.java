package dev.syncguard.sqlite;

import dev.syncguard.FenceMode;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.support.Settings;
import java.nio.file.Path;
import java.time.Duration;

/** Settings of a {@link SqliteLockBackend}. */
public final class SqliteLockBackendBuilder {

    final Path file;
    FenceMode fenceMode = FenceMode.COUNTER;
    Duration commandTimeout = Duration.ofSeconds(2);
    boolean cleanupInIsLocked;
    boolean strict;

    SqliteLockBackendBuilder(Path file) {
        this.file = Settings.required("file", file);
    }

    /**
     * Sets how fences are found.
     *
     * @param fenceMode the mode; the default is {@link FenceMode#COUNTER}
     * @return this builder
     */
    public SqliteLockBackendBuilder fenceMode(FenceMode fenceMode) {
        this.fenceMode = Settings.required("fenceMode", fenceMode);
        return this;
    }

    /**
     * Sets how long one operation may take, its waiting for other processes included.
     *
     * @param commandTimeout 10 ms to 10 minutes; the default is 2 seconds
     * @return this builder
     */
    public SqliteLockBackendBuilder commandTimeout(Duration commandTimeout) {
        this.commandTimeout = Settings.commandTimeout(commandTimeout);
        return this;
    }

    /**
     * Lets {@code isLocked} remove the lock of its key if that expired more than 2 seconds ago. Fence counters are never
     * removed. Without this, such a row stays until its key is locked again.
     *
     * @param cleanup false if not set: isLocked then changes nothing
     * @return this builder
     */
    public SqliteLockBackendBuilder cleanupInIsLocked(boolean cleanup) {
        this.cleanupInIsLocked = cleanup;
        return this;
    }

    /**
     * Looks at the file when the backend is built, and refuses one whose state or place breaks what a lock promises.
     * Otherwise weaknesses are warnings in the log after the first acquire.
     *
     * @return this builder
     */
    public SqliteLockBackendBuilder strict() {
        this.strict = true;
        return this;
    }

    /**
     * Creates the backend. Without {@link #strict()} the file is not touched before it is used.
     *
     * @return the backend
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if a setting is not allowed, or if the backend is strict and
     *     the file breaks the promise
     */
    public SqliteLockBackend build() {
        SqliteLockBackend backend = new SqliteLockBackend(this);
        return strict ? backend.startCheck().strict(backend) : backend;
    }
}
