package dev.syncguard.testbed;

import java.util.List;
import java.util.function.Predicate;

/** A slot of a cluster on its way from one node to another, as fast as the test says. */
public final class SlotMove {

    private final String slot;
    private final RedisServer source;
    private final RedisServer target;
    private final List<RedisServer> nodes;

    private SlotMove(String slot, RedisServer source, RedisServer target, List<RedisServer> nodes) {
        this.slot = slot;
        this.source = source;
        this.target = target;
        this.nodes = nodes;
    }

    static SlotMove begin(String slot, RedisServer source, RedisServer target, List<RedisServer> nodes) {
        SlotMove move = new SlotMove(slot, source, target, nodes);
        move.set(target, "IMPORTING", id(source));
        move.set(source, "MIGRATING", id(target));
        return move;
    }

    private static String id(RedisServer node) {
        return node.command("CLUSTER", "MYID");
    }

    private void set(RedisServer node, String state, String other) {
        String reply = node.command("CLUSTER", "SETSLOT", slot, state, other);
        if (!reply.equals("OK")) {
            throw new IllegalStateException("SETSLOT " + state + ": " + reply);
        }
    }

    /**
     * Returns what the source still has of the slot.
     *
     * @return names of keys
     */
    public List<String> keys() {
        return source.list("CLUSTER", "GETKEYSINSLOT", slot, "100000");
    }

    /**
     * Moves keys, one after the other.
     *
     * @param which the names of those to move
     */
    public void moveKeys(Predicate<String> which) {
        keys().stream().filter(which).forEach(this::moveKey);
    }

    /** A key that expired or was deleted meanwhile is no failure. */
    private void moveKey(String key) {
        String reply = source.command("MIGRATE", "127.0.0.1", Integer.toString(target.port()), key, "0", "5000");
        if (!reply.equals("OK") && !reply.equals("NOKEY")) {
            throw new IllegalStateException("MIGRATE: " + reply);
        }
    }

    /** Moves what is left and gives the slot to the target. */
    public void finish() {
        while (!keys().isEmpty()) {
            moveKeys(key -> true);
        }
        set(target, "NODE", id(target));
        set(source, "NODE", id(target));
        for (RedisServer node : nodes) {
            if (node != target && node != source) {
                set(node, "NODE", id(target));
            }
        }
    }
}
