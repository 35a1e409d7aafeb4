package dev.syncguard.testbed;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cluster of three masters without replicas. */
public final class RedisCluster implements AutoCloseable {

    private static final int SLOTS = 16_384;

    private final List<RedisServer> nodes = new ArrayList<>();

    private RedisCluster(int servedSlots) {
        for (int i = 0; i < 3; i++) {
            nodes.add(RedisServer.start("--cluster-enabled", "yes", "--cluster-node-timeout", "2000"));
        }
        for (int i = 0; i < 3; i++) {
            int from = servedSlots * i / 3;
            int to = servedSlots * (i + 1) / 3 - 1;
            nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            nodes.get(i).command(addSlots(from, to));
            nodes.get(0)
                    .command(
                            "CLUSTER",
                            "MEET",
                            "127.0.0.1",
                            Integer.toString(nodes.get(i).port()));
        }
        for (RedisServer node : nodes) {
            String slots = "cluster_slots_assigned:" + servedSlots;
            RedisWire.await(
                    "the cluster to meet", () -> node.command("CLUSTER", "INFO").contains(slots));
            if (servedSlots == SLOTS) {
                RedisWire.await(
                        "the cluster", () -> node.command("CLUSTER", "INFO").contains("cluster_state:ok"));
            }
        }
    }

    /** One by one: ADDSLOTSRANGE needs Redis 7.0. */
    private static String[] addSlots(int from, int to) {
        return Stream.concat(
                        Stream.of("CLUSTER", "ADDSLOTS"),
                        IntStream.rangeClosed(from, to).mapToObj(Integer::toString))
                .toArray(String[]::new);
    }

    /**
     * Starts a cluster that serves all slots.
     *
     * @return the running cluster
     */
    public static RedisCluster start() {
        return new RedisCluster(SLOTS);
    }

    /**
     * Starts a cluster that does not serve the last slots.
     *
     * @return the running cluster, whose state is fail
     */
    public static RedisCluster startWithoutAllSlots() {
        return new RedisCluster(SLOTS - 100);
    }

    /**
     * Returns the address of one node.
     *
     * @return the URL
     */
    public String url() {
        return nodes.get(0).url();
    }

    /**
     * Returns the nodes.
     *
     * @return three servers
     */
    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    /**
     * Begins to move the slot of a key to the next node.
     *
     * @param key any key of the slot
     * @return the move, of which no key is moved yet
     */
    public SlotMove beginMove(String key) {
        String slot = nodes.get(0).command("CLUSTER", "KEYSLOT", key);
        for (int i = 0; i < nodes.size(); i++) {
            if (serves(nodes.get(i), Integer.parseInt(slot))) {
                return SlotMove.begin(slot, nodes.get(i), nodes.get((i + 1) % nodes.size()), nodes());
            }
        }
        throw new IllegalStateException("no node serves slot " + slot);
    }

    /** Asks the node itself: after a move the others learn of it later. */
    private static boolean serves(RedisServer node, int slot) {
        return node.command("CLUSTER", "NODES")
                .lines()
                .filter(line -> line.contains("myself"))
                .flatMap(line -> Stream.of(line.split(" ", -1)).skip(8))
                .filter(range -> !range.startsWith("["))
                .map(range -> range.split("-", -1))
                .anyMatch(range ->
                        Integer.parseInt(range[0]) <= slot && slot <= Integer.parseInt(range[range.length - 1]));
    }

    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }
}
