package dev.syncguard.redis;

import dev.syncguard.FenceMode;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LockIds;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The parts of one backend, put together for the server that was found. */
final class RedisSession implements AutoCloseable {

    /** What the builder was told. */
    record Settings(String prefix, Duration timeout, FenceMode fenceMode, int replicas, boolean cleanup) {}

    private final RedisLink link;
    private final Settings settings;
    private final RedisServerInfo info;
    private final RedisKeys keys;
    private final RedisTimeouts timeouts;
    private final RedisExecutor executor;
    private final @Nullable RedisSubscriptions subscriptions;
    private final @Nullable RedisReleaseSignals signals;
    private final @Nullable RedisHandOver handOver;
    private final RedisRequests requests;
    private final @Nullable ReplicaAcks acks;
    private final RedisClock clock;
    private final AtomicBoolean closed = new AtomicBoolean();

    RedisSession(RedisLink link, RedisServerInfo info, Settings settings) {
        ScheduledExecutorService timer = link.resources().eventExecutorGroup();
        this.link = link;
        this.info = info;
        this.settings = settings;
        this.keys = new RedisKeys(settings.prefix(), link.isCluster());
        this.timeouts = new RedisTimeouts(settings.timeout(), timer);
        this.executor = executor(link.commands());
        boolean sharded = link.isCluster() && info.isAtLeast(7, 0);
        String token = LockIds.random().value().substring(0, 8);
        this.subscriptions = link.opener()
                .map(opener -> new RedisSubscriptions(opener, sharded, timer))
                .orElse(null);
        this.signals = subscriptions == null ? null : new RedisReleaseSignals(keys, subscriptions, token, timer);
        this.handOver = subscriptions != null && canHandOver(link.isCluster(), sharded)
                ? new RedisHandOver(keys, subscriptions, token)
                : null;
        this.requests = new RedisRequests(
                keys, settings.fenceMode(), sharded ? "SPUBLISH" : "PUBLISH", settings.cleanup(), signals, handOver);
        this.acks = settings.replicas() == 0 ? null : openAcks();
        this.clock = new RedisClock(executor);
    }

    /**
     * Not on a cluster where a node counts only its own receivers of a message, nor where a grant counts after replicas have
     * acknowledged it (the one who releases asks none), nor where the script cannot name what it writes.
     */
    private boolean canHandOver(boolean cluster, boolean sharded) {
        return (!cluster || sharded) && settings.replicas() == 0 && keys.isPlain();
    }

    /** Sends over the given connection with our timeout. */
    RedisExecutor executor(StatefulConnection<String, String> connection) {
        boolean ours = link.opener().isPresent() && !link.isCluster();
        return new RedisExecutor(connection, timeouts, settings.timeout(), ours ? new ReplicaExit(connection) : null);
    }

    private ReplicaAcks openAcks() {
        if (link.isCluster()) {
            throw new LockException(
                    Code.INVALID_ARGUMENT, "replica acknowledgement is not possible on a cluster: WAIT knows no slot");
        }
        RedisLink.Opener opener = link.opener()
                .orElseThrow(
                        () -> new LockException(
                                Code.INVALID_ARGUMENT,
                                "replica acknowledgement needs connections of its own: give a client or a URL, not a connection"));
        return new ReplicaAcks(
                settings.replicas(), settings.timeout().dividedBy(2), watched(opener.open()), watched(opener.open()));
    }

    private WatchedConnection watched(StatefulConnection<String, String> connection) {
        return new WatchedConnection(connection, executor(connection));
    }

    RedisLink link() {
        return link;
    }

    Duration timeout() {
        return settings.timeout();
    }

    Settings settings() {
        return settings;
    }

    /** As it was when the backend started. */
    RedisServerInfo info() {
        return info;
    }

    RedisKeys keys() {
        return keys;
    }

    RedisExecutor executor() {
        return executor;
    }

    RedisRequests requests() {
        return requests;
    }

    @Nullable
    RedisReleaseSignals signals() {
        return signals;
    }

    @Nullable
    RedisHandOver handOver() {
        return handOver;
    }

    @Nullable
    ReplicaAcks acks() {
        return acks;
    }

    RedisClock clock() {
        return clock;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            if (subscriptions != null) {
                subscriptions.close();
            }
            link.close();
        }
    }
}
