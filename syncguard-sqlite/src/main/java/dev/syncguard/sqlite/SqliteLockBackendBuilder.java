package dev.syncguard.sqlite;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.FenceMode;
import dev.syncguard.spi.StoreDiagnostics.Finding;
import dev.syncguard.spi.StoreDiagnostics.Level;
import java.nio.file.Path;
import java.time.Duration;

/** Settings of a {@link SqliteLockBackend}. */
public final class SqliteLockBackendBuilder {

    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);

    final Path file;
    FenceMode fenceMode = FenceMode.COUNTER;
    Duration commandTimeout = Duration.ofSeconds(2);
    private boolean strict;

    SqliteLockBackendBuilder(Path file) {
        if (file == null) {
            throw new LockException(Code.INVALID_ARGUMENT, "a backend needs a file");
        }
        this.file = file;
    }

    /**
     * Sets how fences are found.
     *
     * @param fenceMode the mode; the default is {@link FenceMode#COUNTER}
     * @return this builder
     */
    public SqliteLockBackendBuilder fenceMode(FenceMode fenceMode) {
        this.fenceMode = fenceMode;
        return this;
    }

    /**
     * Sets how long one operation may take, its waiting for other processes included.
     *
     * @param commandTimeout 10 ms to 10 minutes; the default is 2 seconds
     * @return this builder
     */
    public SqliteLockBackendBuilder commandTimeout(Duration commandTimeout) {
        this.commandTimeout = commandTimeout;
        return this;
    }

    /**
     * Looks at the file when the backend is built, and refuses one whose state or place breaks what a lock promises.
     *
     * @return this builder
     */
    public SqliteLockBackendBuilder strict() {
        this.strict = true;
        return this;
    }

    /**
     * Makes the backend. Without {@link #strict()} the file is not touched before it is used.
     *
     * @return the backend
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if a setting is not allowed, or if the backend is strict and
     *     the file breaks the promise
     */
    public SqliteLockBackend build() {
        if (commandTimeout.toMillis() < 10 || commandTimeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new LockException(Code.INVALID_ARGUMENT, "a command timeout is 10 ms to 10 minutes");
        }
        SqliteLockBackend backend = new SqliteLockBackend(this);
        if (strict) {
            refuseDanger(backend);
        }
        return backend;
    }

    private static void refuseDanger(SqliteLockBackend backend) {
        try {
            for (Finding finding : backend.diagnostics().orElseThrow().inspect(AbortSignal.none())) {
                if (finding.level() == Level.DANGER) {
                    throw new LockException(
                            Code.INVALID_ARGUMENT, finding.id() + ": " + finding.message() + "; " + finding.fix());
                }
            }
        } catch (LockException e) {
            backend.close();
            throw e;
        }
    }
}
