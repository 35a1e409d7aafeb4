package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.testbed.RedisCluster;
import dev.syncguard.testbed.RedisSentinels;
import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.TcpProxy;
import dev.syncguard.testbed.TlsCertificates;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way to start wrongly has a code and says what to do, and never repeats a password. */
@DisplayName("bad input")
class RedisBadInputTest {

    private static void assertRefused(RedisLockBackendBuilder builder, Code code, String... hints) {
        assertThatThrownBy(builder::build)
                .asInstanceOf(InstanceOfAssertFactories.type(LockException.class))
                .satisfies(e -> {
                    assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
                    assertThat(e.getMessage()).contains(hints).doesNotContain("s3cret");
                });
    }

    private static RedisLockBackendBuilder url(String url) {
        return RedisLockBackend.builder(url).commandTimeout(Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost:s3cret", "http://user:s3cret@localhost", "redis://", "redis-sentinel://h"})
    @DisplayName("a text that is no URL")
    void noUrl(String text) {
        assertThatThrownBy(() -> RedisLockBackend.connect(text))
                .asInstanceOf(InstanceOfAssertFactories.type(LockException.class))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT);
                    assertThat(e.getMessage()).contains("redis://").doesNotContain("s3cret");
                });
    }

    @Test
    @DisplayName("a host that does not answer, or does not exist")
    void unreachable() {
        assertRefused(url("redis://u:s3cret@127.0.0.1:1"), Code.SERVICE_UNAVAILABLE, "cannot connect to 127.0.0.1:1");
        assertRefused(url("redis://no-such-host.invalid"), Code.SERVICE_UNAVAILABLE, "host name is not known");
        assertRefused(url("redis-sentinel://127.0.0.1:1#primary"), Code.SERVICE_UNAVAILABLE, "sentinels 127.0.0.1:1");
    }

    @Test
    @DisplayName("a host that takes connections and never answers, within the command timeout")
    void silent() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            long start = System.nanoTime();

            assertRefused(
                    url("redis://127.0.0.1:" + silent.getLocalPort()).commandTimeout(Duration.ofMillis(300)),
                    Code.NETWORK_TIMEOUT,
                    "127.0.0.1:" + silent.getLocalPort());

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
        }
    }

    @Test
    @DisplayName("a database that the server does not have")
    void database() {
        assertRefused(url(Redis.get().url() + "/99"), Code.INVALID_ARGUMENT, "database");
    }

    @Test
    @DisplayName("a wrong password, or none")
    void password() {
        try (RedisServer server = RedisServer.start()) {
            server.command("ACL", "SETUSER", "locks", "on", ">right", "~*", "+@all");
            server.command("ACL", "SETUSER", "default", "off");

            assertRefused(url("redis://locks:s3cret@127.0.0.1:" + server.port()), Code.AUTH_FAILED, "password");
            assertRefused(url(server.url()), Code.AUTH_FAILED, "password");
        }
    }

    @Test
    @DisplayName("a certificate for another host, or of an unknown issuer")
    void tls() {
        TlsCertificates certificates = TlsCertificates.forHost("example.org");
        try (RedisServer server = RedisServer.startTls(certificates)) {
            String address = "rediss://localhost:" + server.port();
            SslOptions trusting = SslOptions.builder()
                    .trustManager(certificates.certificate().toFile())
                    .build();

            assertRefused(url(address).tls(trusting), Code.SERVICE_UNAVAILABLE, "certificate");
            assertRefused(url(address), Code.SERVICE_UNAVAILABLE, "certificate");
        }
    }

    @Test
    @DisplayName("a cluster that does not serve all slots")
    void incompleteCluster() {
        try (RedisCluster cluster = RedisCluster.startWithoutAllSlots()) {
            assertRefused(url(cluster.url()), Code.SERVICE_UNAVAILABLE, "slots");
        }
    }

    @Test
    @DisplayName("a replica given as primary, a sentinel given as server")
    void wrongServer() {
        try (RedisSentinels servers = RedisSentinels.start()) {
            assertRefused(url(servers.replica().url()), Code.SERVICE_UNAVAILABLE, "replica", "redis-sentinel://");
            String sentinel = servers.url().replaceAll("redis-sentinel://([^,]*),.*", "redis://$1");
            assertRefused(url(sentinel), Code.INVALID_ARGUMENT, "redis-sentinel://");
        }
    }

    @Test
    @DisplayName("a Sentinel of Valkey, which has another name for its mode")
    void valkeySentinel() {
        try (RedisServer server = RedisServer.start();
                TcpProxy proxy = TcpProxy.to(server.port())) {
            proxy.rewriteReplies(bytes -> new String(bytes, StandardCharsets.ISO_8859_1)
                    .replaceAll("redis_mode:standalone", "server_mode:sentinel ") // as long as before
                    .replaceAll("server_mode:standalone", "server_mode:sentinel  ")
                    .getBytes(StandardCharsets.ISO_8859_1));

            assertRefused(url("redis://127.0.0.1:" + proxy.port()), Code.INVALID_ARGUMENT, "redis-sentinel://");
        }
    }

    @Test
    @DisplayName("a server older than 6.2")
    void oldServer() {
        try (RedisServer server = RedisServer.start();
                TcpProxy proxy = TcpProxy.to(server.port())) {
            proxy.rewriteReplies(bytes -> new String(bytes, StandardCharsets.ISO_8859_1)
                    .replaceAll("redis_version:\\d\\.\\d", "redis_version:6.0")
                    .getBytes(StandardCharsets.ISO_8859_1));

            assertRefused(url("redis://127.0.0.1:" + proxy.port()), Code.INVALID_ARGUMENT, "Redis 6.0.", "6.2");
        }
    }

    @Test
    @DisplayName("a client or connection whose options queue and replay")
    void queueing() {
        RedisClient client = RedisClient.create(Redis.get().url());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            assertRefused(
                    RedisLockBackend.builder(client), Code.INVALID_ARGUMENT, "disconnectedBehavior", "REJECT_COMMANDS");
            assertRefused(RedisLockBackend.builder(connection), Code.INVALID_ARGUMENT, "disconnectedBehavior=DEFAULT");
        } finally {
            client.shutdown();
        }
    }

    @Test
    @DisplayName("a client for single servers on a cluster, acknowledgements where they cannot be")
    void impossible() {
        ClientOptions rejecting = ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .build();
        try (RedisCluster cluster = RedisCluster.start()) {
            RedisClient client = RedisClient.create(cluster.url());
            client.setOptions(rejecting);
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                assertRefused(RedisLockBackend.builder(client), Code.INVALID_ARGUMENT, "RedisClusterClient");
                assertRefused(RedisLockBackend.builder(connection), Code.INVALID_ARGUMENT, "RedisClusterClient");
                assertRefused(url(cluster.url()).replicaAcks(1), Code.INVALID_ARGUMENT, "cluster");
            } finally {
                client.shutdown();
            }
        }
    }

    @Test
    @DisplayName("settings out of range")
    void settings() {
        assertThatThrownBy(() -> url("redis://h").commandTimeout(Duration.ZERO)).isInstanceOf(LockException.class);
        assertThatThrownBy(() -> url("redis://h").commandTimeout(Duration.ofHours(1)))
                .isInstanceOf(LockException.class);
        assertThatThrownBy(() -> url("redis://h").replicaAcks(-1)).isInstanceOf(LockException.class);
        assertThatThrownBy(() -> url("redis://h").keyPrefix("my:fence")).isInstanceOf(LockException.class);
    }

    @Test
    @DisplayName("a setting that is null")
    void nulls() {
        List<ThrowingCallable> calls = List.of(
                () -> RedisLockBackend.builder((String) null),
                () -> RedisLockBackend.builder((RedisClient) null),
                () -> RedisLockBackend.builder((RedisClusterClient) null),
                () -> RedisLockBackend.builder((StatefulRedisConnection<?, ?>) null),
                () -> RedisLockBackend.builder((StatefulRedisClusterConnection<?, ?>) null),
                () -> url("redis://h").keyPrefix(null),
                () -> url("redis://h").commandTimeout(null),
                () -> url("redis://h").fenceMode(null),
                () -> url("redis://h").tls(null));

        assertThat(calls)
                .allSatisfy(call -> assertThat(catchThrowableOfType(LockException.class, call))
                        .isNotNull()
                        .extracting(LockException::code)
                        .isEqualTo(Code.INVALID_ARGUMENT));
    }
}
