package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockListing.Page;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import dev.syncguard.testbed.RedisCluster;
import dev.syncguard.testbed.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who opens, who closes, and what works over connections that the application gave. */
@DisplayName("connections")
class RedisOwnershipTest {

    private static void assertWorks(LockBackend backend) {
        LockKey key = LockKey.of("ownership");
        AcquireRequest request = new AcquireRequest(key, backend.newLockId(key), Ttl.DEFAULT, false);
        Granted granted = (Granted) backend.acquire(request, none());
        assertThat(backend.isLocked(key, none())).isTrue();
        Page page = backend.listing().orElseThrow().list(Optional.empty(), 1000, none());
        assertThat(page.locks().isEmpty() && page.next().isEmpty()).isFalse();
        assertThat(backend.release(granted.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("of a given client: ours are closed, the client stays open")
    void givenClient() {
        try (RedisServer server = RedisServer.start()) {
            RedisClient client = RedisClient.create(server.url());
            client.setOptions(ClientOptions.builder()
                    .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                    .build());
            try (StatefulRedisConnection<String, String> theirs = client.connect()) {
                LockBackend backend = RedisLockBackend.builder(client).build();
                assertWorks(backend);
                AtomicInteger wakeUps = new AtomicInteger();
                Subscription subscription =
                        backend.releaseSignals().orElseThrow().subscribe(LockKey.of("k"), wakeUps::incrementAndGet);
                await().until(subscription::isActive);
                backend.close();
                backend.close();

                await().until(() -> server.command("CLIENT", "LIST").lines().count() == 2);
                assertThat(theirs.sync().ping()).isEqualTo("PONG");
                assertThatThrownBy(() -> assertWorks(backend))
                        .asInstanceOf(InstanceOfAssertFactories.type(LockException.class))
                        .satisfies(e -> {
                            assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
                            assertThat(e.outcomeUnknown()).isFalse();
                        });
            } finally {
                client.shutdown();
            }
        }
    }

    @Test
    @DisplayName("that were given stay open, whatever their codec; waiters poll then")
    void givenConnection() {
        try (RedisServer server = RedisServer.start()) {
            RedisClient client = RedisClient.create(server.url());
            client.setOptions(ClientOptions.builder().autoReconnect(false).build());
            try (StatefulRedisConnection<byte[], byte[]> theirs = client.connect(ByteArrayCodec.INSTANCE)) {
                LockBackend backend = RedisLockBackend.builder(theirs).build();
                assertWorks(backend);
                assertThat(backend.releaseSignals()).isEmpty();
                assertThatThrownBy(() ->
                                RedisLockBackend.builder(theirs).replicaAcks(1).build())
                        .hasMessageContaining("connections of its own");
                backend.close();

                assertThat(theirs.sync().ping()).isEqualTo("PONG");
            } finally {
                client.shutdown();
            }
        }
    }

    @Test
    @DisplayName("of a given cluster client and over a given cluster connection")
    void givenCluster() {
        try (RedisCluster cluster = RedisCluster.start()) {
            RedisClusterClient client = RedisClusterClient.create(cluster.url());
            client.setOptions(ClusterClientOptions.builder()
                    .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                    .build());
            try (StatefulRedisClusterConnection<String, String> theirs = client.connect();
                    LockBackend byClient = RedisLockBackend.builder(client).build()) {
                assertWorks(byClient);
                LockBackend byConnection = RedisLockBackend.builder(theirs).build();
                assertWorks(byConnection);
                byConnection.close();
                assertThat(theirs.sync().ping()).isEqualTo("PONG");
            } finally {
                client.shutdown();
            }
        }
    }

    @Test
    @DisplayName("of our own are closed, and their threads end")
    void ownClient() {
        try (RedisServer server = RedisServer.start()) {
            LockBackend backend = RedisLockBackend.connect(server.url());
            assertWorks(backend);
            backend.close();

            await().until(() -> server.command("CLIENT", "LIST").lines().count() == 1);
        }
    }
}
