package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static dev.syncguard.spi.ExtendRequest.Mode.REPLACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.TcpProxy;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Drivers before 6.7 send again what was under way, whatever their options say. */
@DisplayName("what was executed before the connection was lost is not executed again")
class RedisReplayTest {

    private static final Duration PATIENT = Duration.ofSeconds(30); // the driver connects anew long before
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");
    private static final FencedScript COUNT = FencedScript.of("return redis.call('INCR', KEYS[1])");
    private static final Fence FENCE = new Fence(1);
    private static final LockKey KEY = LockKey.of("k");

    private final RedisServer server = RedisServer.start();
    private final TcpProxy proxy = TcpProxy.to(server.port());
    private final String url = "redis://127.0.0.1:" + proxy.port();
    private final RedisLockBackend backend =
            RedisLockBackend.builder(url).commandTimeout(PATIENT).build();
    private final AsyncLockBackend async = backend.async().orElseThrow();
    private final RedisClient client = Redis.client(url);
    private final RedisFenceGuard fences = fences();
    private final LockId lockId = backend.newLockId(KEY);

    private RedisFenceGuard fences() {
        StatefulRedisConnection<String, String> connection = client.connect();
        connection.setTimeout(PATIENT);
        return RedisFenceGuard.on(connection);
    }

    /** Leaves the scripts in the server's cache: one operation is then one EVALSHA. */
    @BeforeEach
    void loadScripts() {
        LockKey other = LockKey.of("other");
        LockId id = backend.newLockId(other);
        backend.acquire(new AcquireRequest(other, id, Ttl.DEFAULT, false), none());
        backend.extend(new ExtendRequest(id, other, Ttl.DEFAULT, REPLACE), none());
        backend.release(new ReleaseRequest(id, other), none());
        fences.run(COUNT, List.of("other"), List.of(), FENCE);
    }

    @AfterEach
    void close() {
        backend.close();
        client.shutdown();
        proxy.close();
        server.close();
    }

    private AcquireRequest request() {
        return new AcquireRequest(KEY, lockId, new Ttl(600_000), false);
    }

    private long executed() {
        return SCRIPTS.matcher(server.command("INFO", "commandstats"))
                .results()
                .map((MatchResult calls) -> Long.parseLong(calls.group(1)))
                .findFirst()
                .orElse(0L);
    }

    /** Loses the replies, and then the connection. */
    private void isNotRepeated(Runnable loseConnection, List<Supplier<CompletionStage<?>>> operations) {
        long expected = executed() + operations.size();
        proxy.dropReplies(true);
        List<? extends CompletionStage<?>> stages =
                operations.stream().map(Supplier::get).toList();
        await().until(() -> executed() >= expected);

        loseConnection.run();

        assertThat(stages)
                .allSatisfy(stage -> assertThat(stage)
                        .failsWithin(PATIENT)
                        .withThrowableThat()
                        .havingCause()
                        .isInstanceOfSatisfying(LockException.class, e -> {
                            assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
                            assertThat(e.outcomeUnknown()).isTrue();
                        }));
        assertThat(executed()).isEqualTo(expected);
    }

    private void isNotRepeated(Supplier<CompletionStage<?>> operation) {
        isNotRepeated(proxy::finish, List.of(operation));
    }

    @Test
    @DisplayName("acquire")
    void acquire() {
        isNotRepeated(() -> async.acquire(request(), none()));

        assertThat(server.command("GET", "syncguard:fence:syncguard:k")).isEqualTo("1");
    }

    @Test
    @DisplayName("extend")
    void extend() {
        backend.acquire(request(), none());

        isNotRepeated(() -> async.extend(new ExtendRequest(lockId, KEY, new Ttl(300_000), REPLACE), none()));
    }

    @Test
    @DisplayName("release, which would answer that there is no such lock")
    void release() {
        backend.acquire(request(), none());

        isNotRepeated(() -> async.release(new ReleaseRequest(lockId, KEY), none()));
    }

    @Test
    @DisplayName("release on a thread that waits for it")
    void blockingRelease() {
        backend.acquire(request(), none());

        isNotRepeated(
                () -> CompletableFuture.supplyAsync(() -> backend.release(new ReleaseRequest(lockId, KEY), none())));
    }

    @Test
    @DisplayName("a fenced script over a given connection")
    void fencedScript() {
        isNotRepeated(() -> fences.async().run(COUNT, List.of("n"), List.of(), FENCE));

        assertThat(server.command("GET", "n")).isEqualTo("1");
    }

    @Test
    @DisplayName("many at once, and the connection serves the next ones")
    void many() {
        isNotRepeated(proxy::finish, counts(50));

        await().ignoreExceptionsInstanceOf(LockException.class)
                .until(() -> fences.highest("n").isPresent());
        assertThat(fences.run(COUNT, List.of("n"), List.of(), FENCE)).containsExactly(51L);
    }

    @Test
    @DisplayName("many at once that met a reset: the driver fails only the first of them")
    void manyReset() {
        isNotRepeated(() -> proxy.dropReplies(false), counts(50));

        await().ignoreExceptionsInstanceOf(LockException.class)
                .until(() -> fences.highest("n").isPresent());
        assertThat(fences.run(COUNT, List.of("n"), List.of(), FENCE)).containsExactly(51L);
    }

    private List<Supplier<CompletionStage<?>>> counts(int number) {
        Supplier<CompletionStage<?>> count = () -> fences.async().run(COUNT, List.of("n"), List.of(), FENCE);
        return Stream.generate(() -> count).limit(number).toList();
    }
}
