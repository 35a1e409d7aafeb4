package dev.syncguard.faults.store;

import dev.syncguard.FenceMode;
import dev.syncguard.faults.client.Pause;
import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.nemesis.Strike;
import dev.syncguard.testbed.RedisSentinels;
import dev.syncguard.testbed.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A primary, a replica and three sentinels. Replication is asynchronous: a failover may lose what was granted last. */
public final class SentinelStore implements TestStore {

    /** What can be done to whichever server is the primary, without losing data. */
    private static final Set<String> HARMLESS =
            Set.of("script-flush", "client-kill", "client-pause", "busy-script", "out-of-memory", "max-clients");

    private static final int DOWN_AFTER = 1000;

    private final RedisSentinels servers = RedisSentinels.start();

    @Override
    public String url(int client) {
        return servers.url();
    }

    private RedisServer primary() {
        return isPrimary(servers.primary()) ? servers.primary() : servers.replica();
    }

    private RedisServer replica() {
        return primary() == servers.primary() ? servers.replica() : servers.primary();
    }

    private static boolean isPrimary(RedisServer server) {
        return server.command("INFO", "replication").contains("role:master");
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
            faults.add(Fault.of("two-primaries", RedisDataLoss.EXCUSES, this::twoPrimaries));
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
        awaitOther(before);
        before.restart();
        awaitReplica(before);
    }

    /** The old primary comes back as such, until the sentinels tell it otherwise. */
    private void twoPrimaries(Strike strike) {
        strike.begin("primary");
        RedisServer before = primary();
        before.freeze();
        awaitOther(before);
        before.thaw();
        awaitReplica(before);
    }

    private void awaitOther(RedisServer before) {
        RedisServer other = before == servers.primary() ? servers.replica() : servers.primary();
        await(() -> isPrimary(other));
    }

    private static void awaitReplica(RedisServer server) {
        await(() -> server.command("INFO", "replication").contains("master_link_status:up"));
    }

    private interface Condition {
        boolean holds();
    }

    private static void await(Condition condition) {
        long limit = System.nanoTime() + 30_000_000_000L;
        while (!condition.holds()) {
            if (System.nanoTime() > limit) {
                throw new IllegalStateException("no failover");
            }
            Pause.millis(20);
        }
    }

    @Override
    public void heal() {
        servers.primary().thaw();
        servers.replica().thaw();
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
