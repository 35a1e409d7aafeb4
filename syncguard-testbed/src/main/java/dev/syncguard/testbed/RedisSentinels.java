package dev.syncguard.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A primary, one replica and three sentinels that fail over within about two seconds. */
public final class RedisSentinels implements AutoCloseable {

    private static final String NAME = "primary";

    private final RedisServer primary;
    private final RedisServer replica;
    private final List<RedisServer> sentinels = new ArrayList<>();

    private RedisSentinels() {
        primary = RedisServer.start();
        replica = RedisServer.start("--replicaof", "127.0.0.1", Integer.toString(primary.port()));
        RedisWire.await(
                "the replica", () -> replica.command("INFO", "replication").contains("master_link_status:up"));
        for (int i = 0; i < 3; i++) {
            sentinels.add(sentinel());
        }
        for (RedisServer sentinel : sentinels) {
            RedisWire.await("sentinels to meet", () -> knows(sentinel, "num-other-sentinels", "2"));
            RedisWire.await("sentinels to know the replica", () -> knows(sentinel, "num-slaves", "1"));
        }
    }

    /**
     * Starts all of them and waits until the sentinels know each other and the replica.
     *
     * @return the running servers
     */
    public static RedisSentinels start() {
        return new RedisSentinels();
    }

    private RedisServer sentinel() {
        int port = RedisServer.freePort();
        try {
            Path config = Files.createTempFile("sentinel-", ".conf");
            config.toFile().deleteOnExit();
            Files.writeString(
                    config,
                    "sentinel monitor " + NAME + " 127.0.0.1 " + primary.port() + " 2\n"
                            + "sentinel down-after-milliseconds " + NAME + " 1000\n"
                            + "sentinel failover-timeout " + NAME + " 3000\n");
            return RedisServer.startSentinel(port, config);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean knows(RedisServer sentinel, String field, String value) {
        return sentinel.command("SENTINEL", "MASTER", NAME).contains(field + "\n" + value + "\n");
    }

    /**
     * Returns the address.
     *
     * @return for example {@code redis-sentinel://127.0.0.1:34567,127.0.0.1:34568/0#primary}
     */
    public String url() {
        return sentinels.stream()
                .map(sentinel -> "127.0.0.1:" + sentinel.port())
                .collect(Collectors.joining(",", "redis-sentinel://", "/0#" + NAME));
    }

    /**
     * Returns the server that was the primary at the start.
     *
     * @return the first primary
     */
    public RedisServer primary() {
        return primary;
    }

    /**
     * Returns the server that was the replica at the start.
     *
     * @return the first replica
     */
    public RedisServer replica() {
        return replica;
    }

    /**
     * Sets how long a primary must be silent before the sentinels replace it: a second from the start.
     *
     * @param silence in whole milliseconds
     */
    public void downAfter(Duration silence) {
        set("down-after-milliseconds", silence);
    }

    /**
     * Sets how long one step of a failover may take; another one begins no earlier than twice that after the last: 3 seconds
     * from the start.
     *
     * @param limit in whole milliseconds
     */
    public void failoverTimeout(Duration limit) {
        set("failover-timeout", limit);
    }

    private void set(String setting, Duration value) {
        for (RedisServer sentinel : sentinels) {
            sentinel.command("SENTINEL", "SET", NAME, setting, Long.toString(value.toMillis()));
        }
    }

    /**
     * Names another primary by hand, as an operator does when the sentinels do not agree. Settings start anew.
     *
     * @param server the new primary, which is one already
     */
    public void monitor(RedisServer server) {
        for (RedisServer sentinel : sentinels) {
            sentinel.command("SENTINEL", "REMOVE", NAME);
            sentinel.command("SENTINEL", "MONITOR", NAME, "127.0.0.1", Integer.toString(server.port()), "2");
        }
    }

    /**
     * Waits until all sentinels agree on the primary and find its replica well, so that the next failover can begin.
     *
     * @param server the primary
     */
    public void awaitSettled(RedisServer server) {
        String port = Integer.toString(server.port());
        for (RedisServer sentinel : sentinels) {
            RedisWire.await(
                    "sentinels to agree",
                    () -> sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME)
                            .endsWith(port));
            RedisWire.await(
                    "a replica that is well",
                    () -> sentinel.command("SENTINEL", "REPLICAS", NAME).contains("flags\nslave\n"));
        }
    }

    /** Waits until the replica has become the primary. */
    public void awaitFailover() {
        RedisWire.await(
                "the failover", () -> replica.command("INFO", "replication").contains("role:master"));
    }

    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        replica.close();
        primary.close();
    }
}
