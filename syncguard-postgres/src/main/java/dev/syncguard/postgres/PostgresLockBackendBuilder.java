package dev.syncguard.postgres;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.FenceMode;
import dev.syncguard.spi.StoreDiagnostics;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link PostgresLockBackend}. */
public final class PostgresLockBackendBuilder {

    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration SHORTEST_GUARD = Duration.ofSeconds(2);

    final DataSource dataSource;
    PostgresNames names = PostgresNames.defaults();
    FenceMode fenceMode = FenceMode.COUNTER;
    Duration commandTimeout = Duration.ofSeconds(2);
    boolean mixedFleet;

    @Nullable
    Duration cleanupGuard;

    private @Nullable DataSource listenOn;
    private boolean signals = true;
    private boolean strict;

    PostgresLockBackendBuilder(DataSource dataSource) {
        if (dataSource == null) {
            throw new LockException(Code.INVALID_ARGUMENT, "a backend needs a DataSource");
        }
        this.dataSource = dataSource;
    }

    /**
     * Sets where the locks are kept.
     *
     * @param names the schema and the tables; the default is {@link PostgresNames#defaults()}
     * @return this builder
     */
    public PostgresLockBackendBuilder names(PostgresNames names) {
        this.names = names;
        return this;
    }

    /**
     * Sets how fences are found.
     *
     * @param fenceMode the mode; the default is {@link FenceMode#COUNTER}
     * @return this builder
     */
    public PostgresLockBackendBuilder fenceMode(FenceMode fenceMode) {
        this.fenceMode = fenceMode;
        return this;
    }

    /**
     * Sets how long one operation may take once it has a connection. How long it waits for a connection is the pool's
     * setting; keep that short, too.
     *
     * @param commandTimeout 10 ms to 10 minutes; the default is 2 seconds
     * @return this builder
     */
    public PostgresLockBackendBuilder commandTimeout(Duration commandTimeout) {
        this.commandTimeout = commandTimeout;
        return this;
    }

    /**
     * Sets where the connection comes from that listens for releases while somebody waits. Needed if the pool is small
     * (it would lose one of its connections), or if it goes through a pooler that does not pass notifications on.
     *
     * @param dataSource gives connections to the same database; the default is the backend's own
     * @return this builder
     */
    public PostgresLockBackendBuilder listenOn(DataSource dataSource) {
        this.listenOn = dataSource;
        return this;
    }

    /**
     * Does not listen for releases: waiters poll.
     *
     * @return this builder
     */
    public PostgresLockBackendBuilder pollOnly() {
        this.signals = false;
        return this;
    }

    /**
     * Shares the tables with the TypeScript library. Takes its advisory lock while granting, because that library reads
     * first and then writes unconditionally.
     *
     * @return this builder
     */
    public PostgresLockBackendBuilder mixedFleet() {
        this.mixedFleet = true;
        return this;
    }

    /**
     * Lets {@code isLocked} delete rows of locks that ended long ago, in the background and at most every ten seconds.
     * Fence counters are never deleted. Without this, such a row stays until its key is locked again.
     *
     * @param guard how long ago a lock must have ended, at least 2 seconds
     * @return this builder
     */
    public PostgresLockBackendBuilder cleanupInIsLocked(Duration guard) {
        this.cleanupGuard = guard;
        return this;
    }

    /**
     * Looks at the database when the backend is built, and refuses one whose settings break what a lock promises.
     * Otherwise such settings are logged as warnings after the first acquire.
     *
     * @return this builder
     */
    public PostgresLockBackendBuilder strict() {
        this.strict = true;
        return this;
    }

    /**
     * Makes the backend. Without {@link #strict()} the database is not contacted.
     *
     * @return the backend
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if a setting is not allowed, or if the backend is strict
     *     and the database breaks the promise
     */
    public PostgresLockBackend build() {
        if (commandTimeout.toMillis() < 10 || commandTimeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new LockException(Code.INVALID_ARGUMENT, "a command timeout is 10 ms to 10 minutes");
        }
        if (cleanupGuard != null && cleanupGuard.compareTo(SHORTEST_GUARD) < 0) {
            throw new LockException(Code.INVALID_ARGUMENT, "the guard of the cleanup is at least 2 seconds");
        }
        PostgresLockBackend backend = new PostgresLockBackend(this);
        if (strict) {
            refuseDanger(backend);
        }
        return backend;
    }

    private static void refuseDanger(PostgresLockBackend backend) {
        StoreDiagnostics diagnostics = backend.diagnostics().orElseThrow();
        diagnostics.inspect(dev.syncguard.AbortSignal.none()).stream()
                .filter(finding -> finding.level() == StoreDiagnostics.Level.DANGER)
                .findFirst()
                .ifPresent(finding -> {
                    throw new LockException(
                            Code.INVALID_ARGUMENT, finding.id() + ": " + finding.message() + "; " + finding.fix());
                });
    }

    /** Where to listen. A pool that is known to be small is spared: two backends would leave it without a connection. */
    Optional<DataSource> listenSource() {
        if (!signals) {
            return Optional.empty();
        }
        if (listenOn != null) {
            return Optional.of(listenOn);
        }
        return PoolSize.of(dataSource).stream().anyMatch(size -> size < PoolSize.ENOUGH)
                ? Optional.empty()
                : Optional.of(dataSource);
    }
}
