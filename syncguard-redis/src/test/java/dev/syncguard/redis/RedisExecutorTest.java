package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.LockException;
import dev.syncguard.testbed.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a reply that cannot be used")
class RedisExecutorTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final RedisServer server = RedisServer.start();
    private final RedisClient client = RedisClient.create(server.url());

    @AfterEach
    void close() {
        client.shutdown();
        server.close();
    }

    private Throwable failure(Function<List<Object>, Boolean> decoder) {
        RedisTimeouts timeouts =
                new RedisTimeouts(TIMEOUT, client.getResources().eventExecutorGroup());
        RedisExecutor executor = new RedisExecutor(client.connect(), timeouts, TIMEOUT);
        RedisRequest<Boolean> request = new RedisRequest<>(RedisScript.FIND_BY_KEY, List.of("1", "k"), decoder);
        return catchThrowableOfType(
                        CompletionException.class,
                        () -> executor.submit(request)
                                .toCompletableFuture()
                                .orTimeout(2 * TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                                .join())
                .getCause();
    }

    @Test
    @DisplayName("leaves the outcome unknown: the server has done what it was asked for")
    void exceptionOfDecoder() {
        assertThat(failure(reply -> {
                    throw new IllegalStateException("a logger");
                }))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.outcomeUnknown()).isTrue());
    }

    @Test
    @DisplayName("completes the stage also if an Error says so")
    void errorOfDecoder() {
        assertThat(failure(reply -> {
                    throw new NoClassDefFoundError("gone");
                }))
                .isInstanceOf(NoClassDefFoundError.class);
    }
}
