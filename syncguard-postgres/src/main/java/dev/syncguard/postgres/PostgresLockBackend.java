package dev.syncguard.postgres;

import dev.syncguard.AbortSignal;
import dev.syncguard.Capabilities;
import dev.syncguard.Capabilities.TimeAuthority;
import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.spi.StoreDiagnostics;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.support.StartCheck;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Locks in a PostgreSQL database, on the pool that the application already has.
 *
 * <pre>{@code
 * PostgresSchema.create(dataSource, PostgresNames.defaults());
 * SyncGuard guard = SyncGuard.of(PostgresLockBackend.builder(dataSource).build());
 * }</pre>
 *
 * <p>Every operation is one statement and one round trip on a connection of the pool, committed by itself and never inside
 * a transaction of the application. While a caller waits for a lock, one more connection listens for releases.
 */
public final class PostgresLockBackend implements LockBackend {

    private static final Capabilities CAPABILITIES = new Capabilities("postgres", true, TimeAuthority.SERVER, true);

    private final StorageKeys keys = StorageKeys.sql();
    private final PostgresConnections connections;
    private final PostgresStatements statements;
    private final PostgresLabels labels;
    private final Optional<PostgresReleaseSignals> signals;
    private final StoreDiagnostics diagnostics;
    private final StartCheck startCheck;
    private final PostgresCleanup cleanup;

    PostgresLockBackend(PostgresLockBackendBuilder builder) {
        PostgresChannel channel = PostgresChannel.of(builder.names);
        connections = new PostgresConnections(builder.dataSource, builder.commandTimeout);
        statements = new PostgresStatements(builder.names, channel, builder.fenceMode, !builder.noOtherLibrary);
        labels = new PostgresLabels(connections, builder.names);
        signals = builder.listenSource().map(source -> new PostgresReleaseSignals(source, connections, channel, keys));
        diagnostics = new PostgresDiagnostics(connections, builder);
        startCheck = new StartCheck(() -> diagnostics.inspect(AbortSignal.none()));
        cleanup = new PostgresCleanup(connections, statements, builder.cleanupInIsLocked);
    }

    /**
     * Begins a backend on a pool.
     *
     * @param dataSource gives connections to the database; it stays open when the backend is closed
     * @return a builder with the defaults
     */
    public static PostgresLockBackendBuilder builder(DataSource dataSource) {
        return new PostgresLockBackendBuilder(dataSource);
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
        return connections.commandTimeout();
    }

    @Override
    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        LockKey key = request.key();
        Map<String, Object> values = Map.of(
                "key", keys.lock(key),
                "fence_key", keys.fence(key),
                "user_key", key.value(),
                "lock_id", request.lockId().value(),
                "ttl", request.ttl().millis());
        long deadline = connections.deadline();
        boolean labelled = labels.isKept(request.label(), deadline, signal);
        AcquireOutcome outcome = connections.race(
                deadline,
                labelled ? statements.acquireLabelled : statements.acquire,
                labelled ? with(values, "label", Objects.requireNonNull(request.label())) : values,
                signal,
                rows -> PostgresRows.acquired(rows, request));
        startCheck.soon();
        if (outcome != null && !outcome.equals(PostgresRows.NOTHING_IN_THE_WAY)) {
            return outcome;
        }
        // Races were lost to others who were granted the key meanwhile, or the counter does not allow a grant.
        Map<String, Object> counter = Map.of("fence_key", keys.fence(key));
        connections.query(deadline, statements.counter, counter, signal, PostgresRows::isUsable);
        return PostgresRows.NOTHING_IN_THE_WAY;
    }

    private static Map<String, Object> with(Map<String, Object> values, String name, Object value) {
        Map<String, Object> all = new HashMap<>(values);
        all.put(name, value);
        return all;
    }

    @Override
    public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
        return connections.query(
                statements.release, Map.of("lock_id", request.lockId().value()), signal, PostgresRows::released);
    }

    @Override
    public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
        Map<String, Object> values = Map.of(
                "lock_id", request.lockId().value(),
                "ttl", request.ttl().millis(),
                "at_least", request.mode() == Mode.AT_LEAST);
        return connections.query(statements.extend, values, signal, PostgresRows::extended);
    }

    @Override
    public boolean isLocked(LockKey key, AbortSignal signal) {
        boolean locked = findByKey(key, signal).isPresent();
        cleanup.consider();
        return locked;
    }

    @Override
    public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
        return connections.query(statements.findByKey, Map.of("key", keys.lock(key)), signal, PostgresRows::found);
    }

    @Override
    public Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
        return connections.query(statements.findById, Map.of("lock_id", lockId.value()), signal, PostgresRows::found);
    }

    @Override
    public Fence raiseFence(LockKey key, Fence atLeast, AbortSignal signal) {
        FenceLimits.raisable(atLeast);
        Map<String, Object> values = Map.of("fence_key", keys.fence(key), "fence", atLeast.value());
        return connections.query(statements.raise, values, signal, PostgresRows::counter);
    }

    @Override
    public Optional<ReleaseSignals> releaseSignals() {
        return signals.map(found -> found);
    }

    @Override
    public Optional<LockListing> listing() {
        return Optional.of((cursor, limit, signal) -> connections.query(
                statements.list,
                Map.of("after", cursor.orElse(""), "limit", (long) limit),
                signal,
                rows -> PostgresRows.page(rows, limit)));
    }

    @Override
    public Optional<StoreDiagnostics> diagnostics() {
        return Optional.of(diagnostics);
    }

    /** Ends the listening connection and all threads; the DataSource stays open. */
    @Override
    public void close() {
        cleanup.close();
        signals.ifPresent(PostgresReleaseSignals::close);
        connections.close();
    }
}
