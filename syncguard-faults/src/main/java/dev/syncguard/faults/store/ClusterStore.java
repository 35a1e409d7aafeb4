package dev.syncguard.faults.store;

import dev.syncguard.FenceMode;
import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.nemesis.Strike;
import dev.syncguard.testbed.RedisCluster;
import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.SlotMove;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Three masters of a cluster, whose slots move while they are used. */
public final class ClusterStore implements TestStore {

    private static final Set<String> HARMLESS =
            Set.of("script-flush", "client-kill", "client-pause", "busy-script", "out-of-memory", "server-freeze");

    private final RedisCluster cluster = RedisCluster.start();
    private volatile @Nullable SlotMove unfinished;

    @Override
    public String url(int client) {
        return cluster.url();
    }

    @Override
    public List<Fault> faults(FenceMode mode) {
        List<Fault> faults = new ArrayList<>();
        for (String kind : HARMLESS) {
            faults.add(Fault.of(kind, strike -> new RedisFaults(node(strike)).inflict(kind, strike)));
        }
        faults.add(Fault.of("slot-move", this::moveSlot));
        return faults;
    }

    private RedisServer node(Strike strike) {
        return cluster.nodes().get(strike.draw(3));
    }

    /** Key by key, with time between, while clients use them. Each of sixteen parts has a slot. */
    private void moveSlot(Strike strike) {
        String part = "syncguard:" + strike.draw(16);
        strike.begin("cluster", "", part);
        SlotMove move = cluster.beginMove("{" + part + "}");
        unfinished = move;
        strike.last(20, 100);
        move.moveKeys(name -> !name.contains(":fence:"));
        strike.last(20, 200);
        finish();
    }

    /** A slot that stays half moved refuses its keys for good. */
    private synchronized void finish() {
        if (unfinished != null) {
            unfinished.finish();
            unfinished = null;
        }
    }

    @Override
    public void heal() {
        for (RedisServer node : cluster.nodes()) {
            node.thaw();
            node.command("CONFIG", "SET", "maxmemory", "0");
        }
        finish();
    }

    @Override
    public Leftovers leftovers() {
        return RedisContents.of(cluster.nodes());
    }

    @Override
    public void close() {
        cluster.close();
    }
}
