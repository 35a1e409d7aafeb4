package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.syncguard.FenceMode;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockIds;
import dev.syncguard.testbed.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.RedisCommand;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The connection is lost and opened again between the script and WAIT. Servers from 7.2 on then wait for nothing, and after a
 * failover it is another server that answers.
 */
class ReplicaAcksReconnectTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final RedisServer primary = RedisServer.start();
    private final RedisServer replica = RedisServer.start("--replicaof", "127.0.0.1", Integer.toString(primary.port()));
    private final RedisClient client = RedisClient.create(primary.url());
    private final StatefulRedisConnection<String, String> real = client.connect();

    @BeforeEach
    void replicate() {
        await().until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
        try (RedisLockBackend other = RedisLockBackend.connect(primary.url())) {
            LockKey key = LockKey.of("other"); // so that the server knows the script
            assertThat(other.acquire(new AcquireRequest(key, LockIds.random(), Ttl.DEFAULT, false), none()))
                    .isInstanceOf(Granted.class);
        }
    }

    @AfterEach
    void close() {
        client.shutdown();
        replica.close();
        primary.close();
    }

    @Test
    @DisplayName("the grant does not count")
    void grantDoesNotCount() {
        RedisTimeouts timeouts =
                new RedisTimeouts(TIMEOUT, client.getResources().eventExecutorGroup());
        StatefulConnection<String, String> connection = lostAfterFirstReply();
        WatchedConnection watched = new WatchedConnection(connection, new RedisExecutor(connection, timeouts, TIMEOUT));
        ReplicaAcks acks = new ReplicaAcks(1, Duration.ofMillis(200), watched, watched);
        LockKey key = LockKey.of("k");
        RedisRequests requests =
                new RedisRequests(new RedisKeys("syncguard", false), FenceMode.COUNTER, "PUBLISH", false, null, null);
        RedisRequest<AcquireOutcome> request =
                requests.acquire(new AcquireRequest(key, LockIds.random(), Ttl.DEFAULT, false));
        CompletionException failure = catchThrowableOfType(
                CompletionException.class,
                () -> acks.acquire(request, outcome -> outcome instanceof Granted)
                        .toCompletableFuture()
                        .join());

        assertThat(failure).as("the failure").isNotNull();
        assertThat(failure.getCause()).isInstanceOfSatisfying(LockException.class, e -> {
            assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
            assertThat(e.outcomeUnknown()).isTrue();
        });
    }

    /** The caller's thread is held up after it has sent the script, until all of this has happened. */
    @SuppressWarnings("unchecked")
    private StatefulConnection<String, String> lostAfterFirstReply() {
        return (StatefulConnection<String, String>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {StatefulConnection.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(real, arguments);
                        if (method.getName().equals("dispatch")
                                && arguments[0] instanceof RedisCommand<?, ?, ?> command
                                && command.getType().toString().equals("EVALSHA")) {
                            loseConnection((Future<?>) command);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void loseConnection(Future<?> answer) {
        await().until(answer::isDone);
        String id = real.sync().clientId().toString();
        primary.command("CLIENT", "KILL", "ID", id);
        await().ignoreExceptions()
                .until(() -> !real.sync().clientId().toString().equals(id));
    }
}
