package dev.syncguard.redis;

import dev.syncguard.FenceMode;
import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.support.Settings;
import dev.syncguard.spi.support.StartCheck;
import io.lettuce.core.SslOptions;
import java.time.Duration;
import java.util.List;

/** Settings of a {@link RedisLockBackend}. The defaults are right for most. */
public final class RedisLockBackendBuilder {

    private final RedisSource source;
    private String keyPrefix = "syncguard";
    private Duration commandTimeout = Duration.ofSeconds(2);
    private FenceMode fenceMode = FenceMode.COUNTER;
    private SslOptions tls = SslOptions.create();
    private int replicaAcks;
    private boolean cleanupInIsLocked;
    private boolean strict;

    RedisLockBackendBuilder(RedisSource source) {
        this.source = source;
    }

    /**
     * Sets how all keys of the locks begin. Services that shall see the same locks use the same one.
     *
     * @param keyPrefix at most 946 bytes without braces and control characters, and without a segment {@code id} or
     *     {@code fence} between colons; {@code syncguard} if not set
     * @return this
     */
    public RedisLockBackendBuilder keyPrefix(String keyPrefix) {
        this.keyPrefix = RedisKeys.checkPrefix(keyPrefix);
        return this;
    }

    /**
     * Sets how long one operation may take, and how long one step of connecting.
     *
     * @param commandTimeout 10 ms to 10 minutes; 2 seconds if not set
     * @return this
     */
    public RedisLockBackendBuilder commandTimeout(Duration commandTimeout) {
        this.commandTimeout = Settings.commandTimeout(commandTimeout);
        return this;
    }

    /**
     * Sets how the next fence is found. All services that share locks use the same mode; a change from counter to time is
     * safe at any moment, the way back is not needed: counters go on from where they are.
     *
     * @param fenceMode {@link FenceMode#COUNTER} if not set
     * @return this
     */
    public RedisLockBackendBuilder fenceMode(FenceMode fenceMode) {
        this.fenceMode = Settings.required("fenceMode", fenceMode);
        return this;
    }

    /**
     * Lets a grant or extension count only if that many replicas have it ({@code WAIT}); otherwise it fails with {@link
     * Code#SERVICE_UNAVAILABLE}. The guard releases such a grant; a lease whose extension fails stays as it was. Costs one more
     * round trip. Not on a cluster.
     *
     * @param replicas how many; 0 if not set
     * @return this
     */
    public RedisLockBackendBuilder replicaAcks(int replicas) {
        if (replicas < 0) {
            throw new LockException(Code.INVALID_ARGUMENT, "the number of replicas is 0 or more");
        }
        this.replicaAcks = replicas;
        return this;
    }

    /**
     * Sets what TLS trusts and presents, for a backend that was started with a {@code rediss://} URL. Host names are
     * verified unless the URL says otherwise.
     *
     * @param tls the JDK's trusted certificates if not set
     * @return this
     */
    public RedisLockBackendBuilder tls(SslOptions tls) {
        this.tls = Settings.required("tls", tls);
        return this;
    }

    /**
     * Lets {@code isLocked} remove the lock of its key if that expired more than 2 seconds ago. Fence counters are never
     * removed. Redis removes expired locks by itself, so this only matters for locks that lost their time to live.
     *
     * @param cleanup false if not set: isLocked then changes nothing
     * @return this
     */
    public RedisLockBackendBuilder cleanupInIsLocked(boolean cleanup) {
        this.cleanupInIsLocked = cleanup;
        return this;
    }

    /**
     * Looks at the server's settings when the backend is built, and refuses those that break what a lock promises.
     * Otherwise they are warnings in the log.
     *
     * @return this
     */
    public RedisLockBackendBuilder strict() {
        this.strict = true;
        return this;
    }

    /**
     * Connects and looks at the server.
     *
     * @return the backend
     * @throws LockException if the server cannot be reached or is not fit
     */
    public RedisLockBackend build() {
        DriverVersion.check();
        try {
            return connect();
        } catch (LinkageError e) {
            throw DriverVersion.unfit(e);
        }
    }

    private RedisLockBackend connect() {
        RedisLink link = source.link(commandTimeout, tls);
        try {
            RedisServerInfo info = read(link);
            if (info.isCluster() && !link.isCluster()) {
                link.close();
                link = source.clusterLink(commandTimeout, tls);
                info = read(link);
            }
            info.check();
            return start(new RedisSession(
                    link,
                    info,
                    new RedisSession.Settings(keyPrefix, commandTimeout, fenceMode, replicaAcks, cleanupInIsLocked)));
        } catch (RuntimeException e) {
            link.close();
            throw RedisErrors.translate(e, false);
        }
    }

    private RedisServerInfo read(RedisLink link) {
        RedisTimeouts timeouts =
                new RedisTimeouts(commandTimeout, link.resources().eventExecutorGroup());
        return RedisServerInfo.read(new RedisExecutor(link.commands(), timeouts, commandTimeout));
    }

    private RedisLockBackend start(RedisSession session) {
        List<Finding> findings = new RedisDiagnostics(session).settings();
        for (Finding finding : findings) {
            if (finding.level() == Level.DANGER && finding.id().equals(ServerCheck.CLUSTER)) {
                throw new LockException(Code.SERVICE_UNAVAILABLE, finding.message() + "; " + finding.fix());
            }
        }
        new StartCheck(() -> findings).now(strict);
        return new RedisLockBackend(session);
    }
}
