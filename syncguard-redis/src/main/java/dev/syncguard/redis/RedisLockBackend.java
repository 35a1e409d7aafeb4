package dev.syncguard.redis;

import dev.syncguard.AbortSignal;
import dev.syncguard.Capabilities;
import dev.syncguard.Capabilities.TimeAuthority;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.StoreDiagnostics;
import dev.syncguard.spi.StoredLock;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.time.Duration;
import java.util.Optional;

/**
 * Locks in Redis 6.2 and newer, or Valkey: one server, Sentinel or Cluster.
 *
 * <pre>{@code SyncGuard guard = SyncGuard.of(RedisLockBackend.connect("redis://localhost"));}</pre>
 *
 * <p>Every operation is one script and one round trip; the server's clock decides. What fences promise depends on how the
 * server keeps its data: see the table in the module's documentation, and {@link #diagnostics()}.
 */
public final class RedisLockBackend implements LockBackend {

    private static final Capabilities CAPABILITIES = new Capabilities("redis", true, TimeAuthority.SERVER, true);

    private final RedisSession session;
    private final RedisExecutor executor;
    private final RedisRequests requests;
    private final AsyncLockBackend async;

    RedisLockBackend(RedisSession session) {
        this.session = session;
        this.executor = session.executor();
        this.requests = session.requests();
        this.async = new RedisAsync(executor, requests, session.acks());
    }

    /**
     * Connects with default settings.
     *
     * @param url {@code redis://[user:password@]host[:port][/database]}, {@code rediss://…} for TLS, or
     *     {@code redis-sentinel://host:port,host:port/database#name-of-primary}; any node of a cluster will do
     * @return the backend, connected; closing it closes its connections
     * @throws LockException if the server cannot be reached or is not fit
     */
    public static RedisLockBackend connect(String url) {
        return builder(url).build();
    }

    /**
     * Starts with the address of a server; the backend opens and closes its own connections.
     *
     * @param url as for {@link #connect}
     * @return a builder
     */
    public static RedisLockBackendBuilder builder(String url) {
        return new RedisLockBackendBuilder(new RedisUrl(url));
    }

    /**
     * Starts with a client of the application, which needs a default address. Its options must reject commands while
     * disconnected. The client stays open; connections that the backend opened are closed with it.
     *
     * @param client the client
     * @return a builder
     */
    public static RedisLockBackendBuilder builder(RedisClient client) {
        return new RedisLockBackendBuilder(RedisSource.client(client));
    }

    /**
     * Starts with a cluster client of the application. Its options must reject commands while disconnected.
     *
     * @param client the client
     * @return a builder
     */
    public static RedisLockBackendBuilder builder(RedisClusterClient client) {
        return new RedisLockBackendBuilder(RedisSource.client(client));
    }

    /**
     * Starts with one connection of the application, with any codec. It stays open. Nothing can be opened beside it, so
     * waiters poll, and replica acknowledgement is not possible. Do not use it for transactions meanwhile.
     *
     * @param connection the connection; its options must reject commands while disconnected
     * @return a builder
     */
    public static RedisLockBackendBuilder builder(StatefulRedisConnection<?, ?> connection) {
        return new RedisLockBackendBuilder(RedisSource.connection(connection));
    }

    /**
     * Starts with one cluster connection of the application; see {@link #builder(StatefulRedisConnection)}.
     *
     * @param connection the connection; its options must reject commands while disconnected
     * @return a builder
     */
    public static RedisLockBackendBuilder builder(StatefulRedisClusterConnection<?, ?> connection) {
        return new RedisLockBackendBuilder(RedisSource.connection(connection));
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Duration commandTimeout() {
        return session.timeout();
    }

    @Override
    public LockId newLockId(LockKey key) {
        return session.keys().newLockId(key);
    }

    @Override
    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        signal.throwIfAborted();
        return session.acks() == null
                ? executor.await(requests.acquire(request))
                : executor.await(async.acquire(request, signal));
    }

    @Override
    public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
        signal.throwIfAborted();
        return executor.await(requests.release(request));
    }

    @Override
    public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
        signal.throwIfAborted();
        return session.acks() == null
                ? executor.await(requests.extend(request))
                : executor.await(async.extend(request, signal));
    }

    @Override
    public boolean isLocked(LockKey key, AbortSignal signal) {
        signal.throwIfAborted();
        return executor.await(requests.isLocked(key));
    }

    @Override
    public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
        signal.throwIfAborted();
        return executor.await(requests.findByKey(key));
    }

    @Override
    public Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
        signal.throwIfAborted();
        return executor.await(requests.findById(lockId));
    }

    @Override
    public Fence raiseFence(LockKey key, Fence atLeast, AbortSignal signal) {
        signal.throwIfAborted();
        return executor.await(requests.raiseFence(key, atLeast));
    }

    @Override
    public Optional<AsyncLockBackend> async() {
        return Optional.of(async);
    }

    @Override
    public Optional<ReleaseSignals> releaseSignals() {
        return Optional.ofNullable(session.signals());
    }

    @Override
    public Optional<HandOver> handOver() {
        return Optional.ofNullable(session.handOver());
    }

    @Override
    public Optional<LockListing> listing() {
        return Optional.of(new RedisListing(session));
    }

    @Override
    public Optional<StoreDiagnostics> diagnostics() {
        return Optional.of(new RedisDiagnostics(session));
    }

    @Override
    public void close() {
        session.close();
    }
}
