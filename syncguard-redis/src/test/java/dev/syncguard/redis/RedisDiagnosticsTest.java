package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.FenceMode;
import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.testbed.RedisCluster;
import dev.syncguard.testbed.RedisServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the safety report")
class RedisDiagnosticsTest {

    private static Map<String, Finding> inspect(RedisLockBackend backend) {
        return backend.diagnostics().orElseThrow().inspect(none()).stream()
                .collect(Collectors.toMap(Finding::id, Function.identity()));
    }

    @Test
    @DisplayName("finds nothing on a server that is set up for locks, and strict starts")
    void good() {
        try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
                RedisLockBackend backend =
                        RedisLockBackend.builder(server.url()).strict().build()) {
            LockKey key = LockKey.of("k");
            backend.acquire(new AcquireRequest(key, backend.newLockId(key), Ttl.DEFAULT, false), none());
            Map<String, Finding> findings = inspect(backend);

            assertThat(findings)
                    .containsOnlyKeys(
                            "redis.version",
                            "redis.eviction",
                            "redis.persistence",
                            "redis.role",
                            "redis.replicas",
                            "redis.cluster",
                            "redis.clock",
                            "redis.counters",
                            "redis.prefix");
            assertThat(findings.values()).extracting(Finding::level).containsOnly(Level.OK);
            assertThat(findings.get("redis.counters").message()).startsWith("1 fence counters");
        }
    }

    @Test
    @DisplayName("does without commands that the server keeps from everybody (rename-command)")
    void renamedCommands() {
        try (RedisServer server = RedisServer.start(
                        "--rename-command",
                        "INFO",
                        "",
                        "--rename-command",
                        "SCAN",
                        "",
                        "--rename-command",
                        "CONFIG",
                        "");
                RedisLockBackend backend = RedisLockBackend.connect(server.url())) {
            LockKey key = LockKey.of("k");
            backend.acquire(new AcquireRequest(key, backend.newLockId(key), Ttl.DEFAULT, false), none());
            Map<String, Finding> findings = inspect(backend);

            assertThat(findings.get("redis.version").level()).isEqualTo(Level.UNKNOWN);
            assertThat(findings.get("redis.persistence").level()).isEqualTo(Level.UNKNOWN);
            assertThat(findings.get("redis.counters").level()).isEqualTo(Level.UNKNOWN);
        }
    }

    @Test
    @DisplayName("finds eviction and missing persistence, and strict refuses to start")
    void bad() {
        try (RedisServer server = RedisServer.start("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru");
                RedisLockBackend backend = RedisLockBackend.connect(server.url())) {
            Map<String, Finding> findings = inspect(backend);

            assertThat(findings.get("redis.eviction").level()).isEqualTo(Level.DANGER);
            assertThat(findings.get("redis.eviction").fix()).contains("noeviction");
            assertThat(findings.get("redis.persistence").level()).isEqualTo(Level.DANGER);
            assertThatThrownBy(() ->
                            RedisLockBackend.builder(server.url()).strict().build())
                    .asInstanceOf(InstanceOfAssertFactories.type(LockException.class))
                    .satisfies(e -> {
                        assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT);
                        assertThat(e).hasMessageContaining("redis.eviction");
                    });
        }
    }

    @Test
    @DisplayName("is warned of when the backend connects, unless it is strict")
    void warnsAtStart() {
        try (RedisServer server = RedisServer.start("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru");
                Warnings warnings = new Warnings();
                RedisLockBackend backend = RedisLockBackend.connect(server.url())) {
            assertThat(warnings.containing("redis.eviction")).hasSize(1);

            LockKey key = LockKey.of("k");
            backend.acquire(new AcquireRequest(key, backend.newLockId(key), Ttl.DEFAULT, false), none());

            assertThat(warnings.containing("redis.eviction")).hasSize(1);
        }
    }

    @Test
    @DisplayName("judges persistence less hard where fences follow the time")
    void timeFloored() {
        try (RedisServer server = RedisServer.start();
                RedisLockBackend backend = RedisLockBackend.builder(server.url())
                        .fenceMode(FenceMode.TIME_FLOORED)
                        .build()) {
            assertThat(inspect(backend).get("redis.persistence").level()).isEqualTo(Level.WARN);
        }
    }

    @Test
    @DisplayName("says unknown where the user may not ask, and starts all the same")
    void forbidden() {
        try (RedisServer server = RedisServer.start("--appendonly", "yes")) {
            server.command("ACL", "SETUSER", "u", "on", ">p", "~*", "&*", "+@all", "-config");
            server.command("ACL", "SETUSER", "blind", "on", ">p", "~*", "&*", "+@all", "-config", "-info", "-scan");
            String address = "@127.0.0.1:" + server.port();
            try (RedisLockBackend backend = RedisLockBackend.builder("redis://u:p" + address)
                            .strict()
                            .build();
                    RedisLockBackend blind = RedisLockBackend.connect("redis://blind:p" + address)) {
                assertThat(inspect(backend).get("redis.persistence").level()).isEqualTo(Level.UNKNOWN);
                Map<String, Finding> findings = inspect(blind);
                for (String id :
                        new String[] {"version", "eviction", "persistence", "role", "replicas", "counters", "prefix"}) {
                    assertThat(findings.get("redis." + id).level()).as(id).isEqualTo(Level.UNKNOWN);
                }
            }
        }
    }

    @Test
    @DisplayName("finds that replicas lag behind, and too few of them")
    void replicas() {
        try (RedisServer primary = RedisServer.start();
                RedisServer replica = RedisServer.start("--replicaof", "127.0.0.1", Integer.toString(primary.port()))) {
            await().until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
            try (RedisLockBackend backend = RedisLockBackend.connect(primary.url());
                    RedisLockBackend demanding = RedisLockBackend.builder(primary.url())
                            .replicaAcks(2)
                            .build()) {
                assertThat(inspect(backend).get("redis.replicas").level()).isEqualTo(Level.WARN);
                assertThat(inspect(demanding).get("redis.replicas").level()).isEqualTo(Level.DANGER);
                LockKey key = LockKey.of("k");
                assertThatThrownBy(() -> demanding.acquire(
                                new AcquireRequest(key, demanding.newLockId(key), Ttl.DEFAULT, false), none()))
                        .asInstanceOf(InstanceOfAssertFactories.type(LockException.class))
                        .satisfies(e -> {
                            assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
                            assertThat(e.outcomeUnknown()).isTrue();
                        });
            }
        }
    }

    @Test
    @DisplayName("looks at a cluster, too")
    void cluster() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisLockBackend backend = RedisLockBackend.connect(cluster.url())) {
            for (int i = 0; i < 30; i++) {
                LockKey key = LockKey.of("k" + i);
                backend.acquire(new AcquireRequest(key, backend.newLockId(key), Ttl.DEFAULT, false), none());
            }
            Map<String, Finding> findings = inspect(backend);

            assertThat(findings.get("redis.cluster").level()).isEqualTo(Level.OK);
            assertThat(findings.get("redis.counters").message()).startsWith("30 fence counters");
        }
    }

    /** The warnings of the library while it is open. */
    private static final class Warnings extends Handler implements AutoCloseable {

        private final Logger logger = Logger.getLogger("dev.syncguard");
        private final List<String> messages = new CopyOnWriteArrayList<>();

        private Warnings() {
            logger.addHandler(this);
        }

        private List<String> containing(String text) {
            return messages.stream().filter(message -> message.contains(text)).toList();
        }

        @Override
        public void publish(LogRecord entry) {
            messages.add(new SimpleFormatter().formatMessage(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }
}
