package dev.syncguard.postgres;

import dev.syncguard.FenceMode;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.support.Settings;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link PostgresLockBackend}. */
public final class PostgresLockBackendBuilder {

    final DataSource dataSource;
    PostgresNames names = PostgresNames.defaults();
    FenceMode fenceMode = FenceMode.COUNTER;
    Duration commandTimeout = Duration.ofSeconds(2);
    boolean noOtherLibrary;
    boolean cleanupInIsLocked;

    private @Nullable DataSource listenOn;
    private boolean signals = true;
    private boolean strict;

    PostgresLockBackendBuilder(DataSource dataSource) {
        this.dataSource = Settings.required("dataSource", dataSource);
    }

    /**
     * Sets where the locks are kept.
     *
     * @param names the schema and the tables; the default is {@link PostgresNames#defaults()}
     * @return this builder
     */
    public PostgresLockBackendBuilder names(PostgresNames names) {
        this.names = Settings.required("names", names);
        return this;
    }

    /**
     * Sets how fences are found.
     *
     * @param fenceMode the mode; the default is {@link FenceMode#COUNTER}
     * @return this builder
     */
    public PostgresLockBackendBuilder fenceMode(FenceMode fenceMode) {
        this.fenceMode = Settings.required("fenceMode", fenceMode);
        return this;
    }

    /**
     * Sets how long one operation may take, the wait for a connection of the pool included.
     *
     * @param commandTimeout 10 ms to 10 minutes; the default is 2 seconds
     * @return this builder
     */
    public PostgresLockBackendBuilder commandTimeout(Duration commandTimeout) {
        this.commandTimeout = Settings.commandTimeout(commandTimeout);
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
        this.listenOn = Settings.required("dataSource", dataSource);
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
     * Assumes that only this library uses the tables, and saves the advisory lock that an acquire takes otherwise. Another
     * library that uses them (the TypeScript one reads, then overwrites under that advisory lock) then grants locks that are
     * held here: two holders. The doctor finds its traces.
     *
     * @return this builder
     */
    public PostgresLockBackendBuilder assumeNoOtherLibrary() {
        this.noOtherLibrary = true;
        return this;
    }

    /**
     * Lets {@code isLocked} remove locks that expired more than 2 seconds ago, in the background and at most every ten
     * seconds. Fence counters are never removed. Without this, such a row stays until its key is locked again.
     *
     * @param cleanup false if not set: isLocked then changes nothing
     * @return this builder
     */
    public PostgresLockBackendBuilder cleanupInIsLocked(boolean cleanup) {
        this.cleanupInIsLocked = cleanup;
        return this;
    }

    /**
     * Looks at the database when the backend is built, and refuses one whose settings break what a lock promises.
     * Otherwise weaknesses are warnings in the log after the first acquire.
     *
     * @return this builder
     */
    public PostgresLockBackendBuilder strict() {
        this.strict = true;
        return this;
    }

    /**
     * Creates the backend. Without {@link #strict()} the database is not contacted.
     *
     * @return the backend
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if a setting is not allowed, if the JDBC driver is older than
     *     42.3, or if the backend is strict and the database breaks the promise
     */
    public PostgresLockBackend build() {
        DriverVersion.check();
        PostgresLockBackend backend = new PostgresLockBackend(this);
        return strict ? backend.startCheck().strict(backend) : backend;
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
