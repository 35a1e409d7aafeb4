package dev.syncguard.sqlite;

import dev.syncguard.AbortSignal;
import dev.syncguard.Capabilities;
import dev.syncguard.Capabilities.TimeAuthority;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.spi.StoreDiagnostics;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.support.StartCheck;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Locks in one SQLite file, for all processes of one machine; no service to run.
 *
 * <pre>{@code
 * SyncGuard guard = SyncGuard.of(SqliteLockBackend.open(SqliteLockBackend.defaultFile()));
 * }</pre>
 *
 * <p>Time is this machine's clock. The file is created on first use, for its owner only. It must be on a local disk, and
 * must not be deleted or replaced while it is in use.
 */
public final class SqliteLockBackend implements LockBackend {

    private static final Capabilities CAPABILITIES = new Capabilities("sqlite", true, TimeAuthority.SERVER, true);

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");

    private final StorageKeys keys = StorageKeys.sql();
    private final Sessions sessions;
    private final Granting granting;
    private final SqliteReleaseSignals signals;
    private final SqliteDiagnostics diagnostics;
    private final StartCheck startCheck;
    private final boolean cleanup;

    SqliteLockBackend(SqliteLockBackendBuilder builder) {
        sessions = new Sessions(new DatabaseFile(builder.file), builder.commandTimeout);
        granting = new Granting(sessions, keys, builder.fenceMode);
        signals = new SqliteReleaseSignals(sessions, keys);
        diagnostics = new SqliteDiagnostics(sessions);
        startCheck =
                new StartCheck(builder.strict ? () -> diagnostics.inspect(AbortSignal.none()) : diagnostics::settings);
        cleanup = builder.cleanupInIsLocked;
    }

    /**
     * Creates a backend with the defaults.
     *
     * @param file where the locks are; created on first use, with the folders above it, for their owner only
     * @return the backend
     */
    public static SqliteLockBackend open(Path file) {
        return builder(file).build();
    }

    /**
     * Begins a backend.
     *
     * @param file where the locks are; created on first use, with the folders above it, for their owner only
     * @return a builder with the defaults
     */
    public static SqliteLockBackendBuilder builder(Path file) {
        return new SqliteLockBackendBuilder(file);
    }

    /**
     * Returns where a user's programs keep their locks if nothing else is said: {@code syncguard/locks.db} in
     * {@code $XDG_STATE_HOME} or {@code ~/.local/state}, on macOS in {@code ~/Library/Application Support}, on Windows in
     * {@code %LOCALAPPDATA%}. The home directory is {@code $HOME}, or the one that the user database knows.
     *
     * @return the path, always absolute; nothing is created
     * @throws LockException with {@link LockException.Code#INVALID_ARGUMENT} if this user has no home directory
     */
    public static Path defaultFile() {
        return DefaultFile.of(System.getProperty("os.name"), System.getProperty("user.home"), System::getenv);
    }

    StartCheck startCheck() {
        return startCheck;
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Duration commandTimeout() {
        return sessions.commandTimeout();
    }

    @Override
    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        AcquireOutcome outcome = granting.acquire(request, signal);
        startCheck.soon();
        return outcome;
    }

    @Override
    public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
        return sessions.write(signal, session -> {
            long now = System.currentTimeMillis();
            Optional<StoredLock> lock = LockTables.byId(session, request.lockId());
            if (lock.isEmpty()) {
                return ReleaseOutcome.NOT_FOUND;
            }
            LockTables.delete(session, request.lockId());
            return Liveness.isLive(lock.get().expiresAtMs(), now) ? ReleaseOutcome.RELEASED : ReleaseOutcome.EXPIRED;
        });
    }

    @Override
    public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
        return sessions.write(signal, session -> {
            long now = System.currentTimeMillis();
            Optional<StoredLock> lock = LockTables.byId(session, request.lockId());
            if (lock.isEmpty()) {
                return NotExtended.NOT_FOUND;
            }
            if (!Liveness.isStrictlyLive(lock.get().expiresAtMs(), now)) {
                return NotExtended.EXPIRED;
            }
            long expiresAtMs = request.expiresAtMs(lock.get().expiresAtMs(), now);
            LockTables.extend(session, request.lockId(), expiresAtMs);
            return new Extended(expiresAtMs, expiresAtMs - now);
        });
    }

    @Override
    public boolean isLocked(LockKey key, AbortSignal signal) {
        Optional<StoredLock> found = sessions.read(signal, session -> LockTables.byKey(session, keys.lock(key)));
        long now = System.currentTimeMillis();
        if (cleanup
                && found.filter(lock -> Liveness.isRemovable(lock.expiresAtMs(), now))
                        .isPresent()) {
            remove(found.get());
        }
        return found.filter(lock -> Liveness.isLive(lock.expiresAtMs(), now)).isPresent();
    }

    /** Only as it was judged: a lock that was extended or granted meanwhile stays. */
    private void remove(StoredLock ended) {
        try {
            sessions.write(AbortSignal.none(), session -> {
                LockTables.delete(session, ended.lockId(), ended.expiresAtMs());
                return true;
            });
        } catch (LockException e) {
            LOGGER.log(Level.DEBUG, "an expired lock was not removed: {0}", e.getMessage());
        }
    }

    @Override
    public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
        return sessions.read(signal, session -> live(LockTables.byKey(session, keys.lock(key))));
    }

    @Override
    public Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
        return sessions.read(signal, session -> live(LockTables.byId(session, lockId)));
    }

    private static Optional<StoredLock> live(Optional<StoredLock> found) {
        long now = System.currentTimeMillis();
        return found.filter(lock -> Liveness.isLive(lock.expiresAtMs(), now));
    }

    @Override
    public Fence raiseFence(LockKey key, Fence atLeast, AbortSignal signal) {
        FenceLimits.raisable(atLeast);
        return sessions.write(signal, session -> {
            long counter = LockTables.counter(session, keys.fence(key));
            Fence raised = FenceLimits.counter(Math.max(counter, atLeast.value()));
            LockTables.count(session, keys.fence(key), raised);
            return raised;
        });
    }

    @Override
    public Optional<ReleaseSignals> releaseSignals() {
        return Optional.of(signals);
    }

    @Override
    public Optional<LockListing> listing() {
        return Optional.of((cursor, limit, signal) -> {
            int checked = LockListing.checkedLimit(limit);
            return sessions.read(signal, session -> {
                long endedMs = System.currentTimeMillis() - Liveness.TIME_TOLERANCE_MS;
                return LockTables.page(session, cursor.orElse(""), endedMs, checked);
            });
        });
    }

    @Override
    public Optional<StoreDiagnostics> diagnostics() {
        return Optional.of(diagnostics);
    }

    /** Closes the file; its locks stay. */
    @Override
    public void close() {
        signals.close();
        sessions.close();
    }
}
