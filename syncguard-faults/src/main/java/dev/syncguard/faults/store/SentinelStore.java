package dev.syncguard.faults.store;

import dev.syncguard.FenceMode;
import dev.syncguard.faults.client.Pause;
import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.nemesis.Strike;
import dev.syncguard.testbed.RedisSentinels;
import dev.syncguard.testbed.RedisServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A primary, a replica and three sentinels. With counters as fences, a grant or an extension counts only if the replica has it
 * ({@code replicaAcks(1)}), so that a failover loses nothing but releases. With fences floored by time replication is
 * asynchronous: a failover may lose what was granted last. Two primaries at once are left out there: both may grant a key in
 * the same millisecond, and then the fences are equal.
 */
public final class SentinelStore implements TestStore {

    /** What can be done to whichever server is the primary, without losing data. */
    private static final Set<String> HARMLESS =
            Set.of("script-flush", "client-kill", "client-pause", "busy-script", "out-of-memory", "max-clients");

    private static final String LINK_UP = "master_link_status:up";
    private static final int DOWN_AFTER = 1000;
    private static final Duration PATIENCE = Duration.ofSeconds(12);
    private static final Duration STEP = Duration.ofMillis(1500);

    /** A loaded machine alone can make a primary look dead for a second: it is replaced only where that is the fault. */
    private static final Duration NEVER = Duration.ofMinutes(10);

    /** A release waits for no replica: lost in a failover, it leaves the lock to its end, as if it had never been released. */
    private static final List<String> LOST_RELEASE = List.of("I4", "I6", "I9", "I10", "L");

    private final RedisSentinels servers = RedisSentinels.start();

    /** Starts the servers. */
    public SentinelStore() {
        settle();
    }

    private void settle() {
        servers.failoverTimeout(STEP);
        servers.downAfter(NEVER);
    }

    @Override
    public String url(int client) {
        return servers.url();
    }

    private RedisServer primary() {
        return isPrimary(servers.primary()) ? servers.primary() : servers.replica();
    }

    private RedisServer replica() {
        return other(primary());
    }

    /** A server that is just starting, or changing its role, resets connections. */
    private static boolean isPrimary(RedisServer server) {
        return says(server, "role:master");
    }

    private static boolean says(RedisServer server, String what) {
        try {
            return server.command("INFO", "replication").contains(what);
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    @Override
    public List<Fault> faults(FenceMode mode) {
        List<Fault> faults = new ArrayList<>();
        for (String kind : HARMLESS) {
            faults.add(Fault.of(kind, strike -> new RedisFaults(primary()).inflict(kind, strike)));
        }
        faults.add(Fault.of("replica-freeze", this::freezeReplica));
        faults.add(Fault.of("short-freeze", this::freezeShortly));
        if (mode == FenceMode.TIME_FLOORED) {
            faults.add(Fault.of("failover-by-crash", RedisDataLoss.EXCUSES, this::crash));
        } else {
            faults.add(Fault.of("failover-with-acks", LOST_RELEASE, this::crash));
            faults.add(Fault.of("two-primaries", LOST_RELEASE, this::twoPrimaries));
        }
        return faults;
    }

    private void freezeReplica(Strike strike) {
        strike.begin("replica");
        RedisServer replica = replica();
        replica.freeze();
        strike.last(100, 800);
        replica.thaw();
    }

    /** Too short for the sentinels. */
    private void freezeShortly(Strike strike) {
        strike.begin("primary");
        RedisServer primary = primary();
        primary.freeze();
        strike.last(50, DOWN_AFTER / 2);
        primary.thaw();
    }

    private void crash(Strike strike) {
        strike.begin("primary");
        RedisServer before = primary();
        before.kill();
        RedisServer next = awaitFailover(before);
        before.restartAsReplicaOf(next);
        awaitReplica(before, next);
    }

    /** The old primary comes back as such, until the sentinels tell it otherwise. */
    private void twoPrimaries(Strike strike) {
        strike.begin("primary");
        RedisServer before = primary();
        before.freeze();
        RedisServer next = other(before);
        try {
            awaitFailover(before);
        } finally {
            before.thaw();
        }
        awaitReplica(before, next);
    }

    private RedisServer other(RedisServer server) {
        return server == servers.primary() ? servers.replica() : servers.primary();
    }

    /** On a loaded machine the sentinels may not agree for minutes: then it is done as an operator does it. */
    private RedisServer awaitFailover(RedisServer before) {
        RedisServer next = other(before);
        servers.downAfter(Duration.ofMillis(DOWN_AFTER));
        if (!comesTrue(() -> isPrimary(next))) {
            next.command("REPLICAOF", "NO", "ONE");
            servers.monitor(next);
        }
        settle();
        return next;
    }

    private static void awaitReplica(RedisServer server, RedisServer primary) {
        if (!comesTrue(() -> says(server, LINK_UP))) {
            server.command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
            comesTrue(() -> says(server, LINK_UP));
        }
    }

    private interface Condition {
        boolean holds();
    }

    private static boolean comesTrue(Condition condition) {
        long start = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                return false;
            }
            Pause.millis(20);
        }
        return true;
    }

    /** A fault that did not come to its end is ended here. A server that is gone has lost its data: the other one goes on. */
    @Override
    public void heal() {
        List<RedisServer> both = List.of(servers.primary(), servers.replica());
        both.forEach(RedisServer::thaw);
        for (RedisServer server : both) {
            if (!server.isRunning()) {
                other(server).command("REPLICAOF", "NO", "ONE");
                server.restartAsReplicaOf(other(server));
                servers.monitor(other(server));
            }
        }
        RedisServer next = primary();
        awaitReplica(other(next), next);
        settle();
    }

    @Override
    public Leftovers leftovers() {
        return RedisContents.of(List.of(primary()));
    }

    @Override
    public void close() {
        servers.close();
    }
}
