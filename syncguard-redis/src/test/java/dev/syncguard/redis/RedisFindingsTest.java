package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.FenceMode;
import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.testbed.RedisCluster;
import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each finding on a server that has the fault, and on the same server without it. */
@DisplayName("a finding of the doctor")
class RedisFindingsTest {

    private final RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
    private final RedisLockBackend backend = RedisLockBackend.connect(server.url());

    @AfterEach
    void close() {
        backend.close();
        server.close();
    }

    private static Finding finding(RedisLockBackend backend, String id) {
        List<Finding> findings = backend.diagnostics().orElseThrow().inspect(none());
        return findings.stream()
                .filter(found -> found.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private Level level(String id) {
        return finding(backend, id).level();
    }

    private static void lock(RedisLockBackend backend, String key) {
        LockKey name = LockKey.of(key);
        backend.acquire(new AcquireRequest(name, backend.newLockId(name), Ttl.DEFAULT, false), none());
    }

    @ParameterizedTest
    @CsvSource({
        "allkeys-lru,100mb,DANGER",
        "volatile-ttl,100mb,DANGER",
        "noeviction,100mb,OK",
        "allkeys-lru,0,OK",
        "volatile-lru,0,OK"
    })
    @DisplayName("redis.eviction: a policy that removes keys, where there is a limit of memory")
    void eviction(String policy, String limit, Level expected) {
        server.command("CONFIG", "SET", "maxmemory-policy", policy);
        server.command("CONFIG", "SET", "maxmemory", limit);

        assertThat(level("redis.eviction")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"yes,always,OK", "yes,everysec,WARN", "yes,no,WARN", "no,always,DANGER"})
    @DisplayName("redis.persistence: no append-only file, or one that is written later")
    void persistence(String appendOnly, String fsync, Level expected) {
        server.command("CONFIG", "SET", "appendonly", appendOnly);
        server.command("CONFIG", "SET", "appendfsync", fsync);

        assertThat(level("redis.persistence")).isEqualTo(expected);
    }

    @Test
    @DisplayName("redis.role: a primary that became a replica")
    void role() {
        assertThat(level("redis.role")).isEqualTo(Level.OK);
        try (RedisServer other = RedisServer.start()) {
            server.command("REPLICAOF", "127.0.0.1", Integer.toString(other.port()));

            assertThat(level("redis.role")).isEqualTo(Level.DANGER);
        }
    }

    @Test
    @DisplayName("redis.replicas: fewer than must acknowledge, or some that may lag behind")
    void replicas() {
        assertThat(level("redis.replicas")).isEqualTo(Level.OK);
        try (RedisServer replica = RedisServer.start("--replicaof", "127.0.0.1", Integer.toString(server.port()));
                RedisLockBackend acknowledged = RedisLockBackend.builder(server.url())
                        .replicaAcks(1)
                        .fenceMode(FenceMode.TIME_FLOORED)
                        .build()) {
            await().until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));

            assertThat(level("redis.replicas")).isEqualTo(Level.WARN);
            assertThat(finding(acknowledged, "redis.replicas").level()).isEqualTo(Level.OK);
        }
    }

    @Test
    @DisplayName("redis.clock: a server whose clock jumped since the start")
    void clock() {
        Pattern seconds = Pattern.compile("(?<=\\*2\\r\\n\\$10\\r\\n)\\d{10}");
        try (TcpProxy proxy = TcpProxy.to(server.port());
                RedisLockBackend behind = RedisLockBackend.connect("redis://127.0.0.1:" + proxy.port())) {
            assertThat(finding(behind, "redis.clock").level()).isEqualTo(Level.OK);
            proxy.rewriteReplies(bytes -> seconds.matcher(new String(bytes, StandardCharsets.ISO_8859_1))
                    .replaceAll(found -> Long.toString(Long.parseLong(found.group()) + 60))
                    .getBytes(StandardCharsets.ISO_8859_1));

            assertThat(finding(behind, "redis.clock").level()).isEqualTo(Level.WARN);
        }
    }

    @Test
    @DisplayName("redis.prefix: a prefix below or above this one, seen from both")
    void prefix() {
        try (RedisLockBackend shop =
                        RedisLockBackend.builder(server.url()).keyPrefix("shop").build();
                RedisLockBackend eu = RedisLockBackend.builder(server.url())
                        .keyPrefix("shop:eu")
                        .build();
                RedisLockBackend us = RedisLockBackend.builder(server.url())
                        .keyPrefix("shop:us")
                        .build();
                RedisLockBackend other = RedisLockBackend.builder(server.url())
                        .keyPrefix("shopping")
                        .build()) {
            lock(eu, "order");
            lock(us, "order");
            lock(other, "order");
            assertThat(finding(eu, "redis.prefix").level()).isEqualTo(Level.OK);
            lock(shop, "eu:invoice");

            assertThat(finding(shop, "redis.prefix").level()).isEqualTo(Level.WARN);
            assertThat(finding(shop, "redis.prefix").message())
                    .contains("shop:eu, shop:us")
                    .doesNotContain("order");
            assertThat(finding(eu, "redis.prefix").level()).isEqualTo(Level.WARN);
            assertThat(finding(us, "redis.prefix").level()).isEqualTo(Level.OK);
            assertThat(finding(other, "redis.prefix").level()).isEqualTo(Level.OK);
            assertThat(finding(shop, "redis.counters").message()).startsWith("1 fence counters");
        }
    }

    @Test
    @DisplayName("redis.prefix: what other clients made up forges no line of a log, and does not fill it")
    void hostilePrefix() {
        try (RedisLockBackend shop =
                RedisLockBackend.builder(server.url()).keyPrefix("shop").build()) {
            for (int i = 0; i < 20; i++) {
                String name = "shop:\u001b[2J\u202e\n" + i + "x".repeat(1000);
                server.command("SET", name + ":fence:" + name + ":k", "1");
            }

            assertThat(finding(shop, "redis.prefix").message())
                    .contains("shop:?[2J??", " and 15 more")
                    .doesNotContain("\u001b", "\u202e", "\n")
                    .hasSizeLessThan(800);
        }
    }

    @Test
    @DisplayName("on a cluster: the worst of all masters, and the state of its slots")
    void cluster() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisLockBackend there = RedisLockBackend.connect(cluster.url())) {
            RedisServer last = cluster.nodes().get(2);
            for (RedisServer node : cluster.nodes()) {
                node.command("CONFIG", "SET", "appendonly", "yes");
                node.command("CONFIG", "SET", "appendfsync", "always");
            }
            lock(there, "k");
            assertThat(there.diagnostics().orElseThrow().inspect(none()))
                    .extracting(Finding::level)
                    .containsOnly(Level.OK);

            last.command("CONFIG", "SET", "appendonly", "no");
            assertThat(finding(there, "redis.persistence").level()).isEqualTo(Level.DANGER);
            last.command("CLUSTER", "DELSLOTS", "16383");
            assertThat(finding(there, "redis.cluster").level()).isEqualTo(Level.DANGER);
        }
    }
}
