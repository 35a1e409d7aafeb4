package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.testbed.RedisCluster;
import dev.syncguard.testbed.SlotMove;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A slot of a real cluster is held in the middle of its move: one key of the lock on each node. */
@DisplayName("while the slot of a lock moves")
class RedisSlotMoveTest {

    private static final Pattern REFUSALS = Pattern.compile("errorstat_(?:TRYAGAIN|ERR):count=(\\d+)");
    private static final Ttl MINUTE = new Ttl(60_000);

    private static RedisCluster cluster;

    private final LockKey key = LockKey.of("k-" + UUID.randomUUID());
    private final RedisKeys names = new RedisKeys("syncguard", true);
    private RedisLockBackend backend;
    private AsyncLockBackend async;
    private LockId lockId;
    private SlotMove move;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void hold() {
        backend = connect(Duration.ofSeconds(20));
        async = backend.async().orElseThrow();
        lockId = ((Granted) acquire(backend)).lockId();
        move = cluster.beginMove(names.of(key).lock(key));
    }

    @AfterEach
    void close() {
        move.finish();
        backend.close();
    }

    private static RedisLockBackend connect(Duration timeout) {
        return RedisLockBackend.builder(cluster.url()).commandTimeout(timeout).build();
    }

    private Object acquire(RedisLockBackend by) {
        return by.acquire(new AcquireRequest(key, by.newLockId(key), MINUTE, false), none());
    }

    private @Nullable LockKey known(boolean known) {
        return known ? key : null;
    }

    /** Starts an operation, lets the cluster refuse it several times, and only then finishes the move. */
    private <T> T acrossTheMove(SlotOrder order, Supplier<T> operation) {
        move.moveKeys(order::isFirst);
        long before = refusals();
        CompletableFuture<T> answer = CompletableFuture.supplyAsync(operation);
        await().until(() -> answer.isDone() || refusals() > before + 2);
        move.finish();
        return answer.join();
    }

    private static long refusals() {
        return cluster.nodes().stream()
                .map(node -> REFUSALS.matcher(node.command("INFO", "errorstats")))
                .flatMap(Matcher::results)
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }

    @ParameterizedTest
    @CsvSource({"INDEX_FIRST,true", "INDEX_FIRST,false", "LOCK_FIRST,true", "LOCK_FIRST,false"})
    @DisplayName("its holder extends it")
    void extend(SlotOrder order, boolean known) {
        ExtendRequest request = new ExtendRequest(lockId, known(known), MINUTE, Mode.REPLACE);

        assertThat(acrossTheMove(order, () -> backend.extend(request, none()))).isInstanceOf(Extended.class);
    }

    @ParameterizedTest
    @CsvSource({"INDEX_FIRST,true", "INDEX_FIRST,false", "LOCK_FIRST,true", "LOCK_FIRST,false"})
    @DisplayName("its holder releases it")
    void release(SlotOrder order, boolean known) {
        ReleaseRequest request = new ReleaseRequest(lockId, known(known));

        assertThat(acrossTheMove(order, () -> backend.release(request, none()))).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(backend.isLocked(key, none())).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"INDEX_FIRST,true", "INDEX_FIRST,false", "LOCK_FIRST,true", "LOCK_FIRST,false"})
    @DisplayName("its holder releases it asynchronously")
    void releaseAsync(SlotOrder order, boolean known) {
        ReleaseRequest request = new ReleaseRequest(lockId, known(known));

        assertThat(acrossTheMove(
                        order,
                        () -> async.release(request, none())
                                .toCompletableFuture()
                                .join()))
                .isEqualTo(ReleaseOutcome.RELEASED);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("it is found by its lock id")
    void findById(SlotOrder order) {
        assertThat(acrossTheMove(order, () -> backend.findById(lockId, none())))
                .get()
                .extracting(StoredLock::key)
                .isEqualTo(key.value());
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("it is found by its key without waiting for the move")
    void findByKey(SlotOrder order) {
        move.moveKeys(order::isFirst);

        assertThat(backend.isLocked(key, none())).isTrue();
        assertThat(backend.findByKey(key, none())).isPresent();
    }

    @Test
    @DisplayName("both of its keys on the new node, everything but acquire goes on")
    void bothMoved() {
        move.moveKeys(name -> true);

        assertThat(backend.findById(lockId, none())).isPresent();
        assertThat(backend.extend(lockId, MINUTE, none())).isInstanceOf(Extended.class);
        assertThat(backend.extend(new ExtendRequest(lockId, key, MINUTE, Mode.AT_LEAST), none()))
                .isInstanceOf(Extended.class);
        assertThat(backend.release(new ReleaseRequest(lockId, key), none())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @ParameterizedTest
    @CsvSource({"INDEX_FIRST,true", "INDEX_FIRST,false", "LOCK_FIRST,true", "LOCK_FIRST,false"})
    @DisplayName(
            "for longer than the command timeout: unavailable, the outcome known, and the lock can still be released")
    void tooLong(SlotOrder order, boolean known) {
        ReleaseRequest request = new ReleaseRequest(lockId, known(known));
        move.moveKeys(order::isFirst);
        try (RedisLockBackend hasty = connect(Duration.ofSeconds(2))) {
            LockException failure = catchThrowableOfType(LockException.class, () -> hasty.release(request, none()));

            assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
            assertThat(failure.outcomeUnknown()).isFalse();
            assertThat(failure).hasMessageContaining("moving");
            move.finish();
            assertThat(hasty.release(new ReleaseRequest(lockId, null), none())).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    @DisplayName("an acquire that does not wait is unavailable, one that waits gets the lock after the move")
    void acquires() {
        backend.release(lockId, none());
        try (SyncGuard guard = SyncGuard.of(connect(Duration.ofSeconds(2)))) {
            LockException failure = catchThrowableOfType(LockException.class, () -> guard.tryAcquire(key.value()));
            assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
            assertThat(failure.outcomeUnknown()).isFalse();

            CompletableFuture<Lease> waiting = CompletableFuture.supplyAsync(
                    () -> guard.acquire(key.value(), LockOptions.defaults().waitAtMost(Duration.ofMinutes(1))));
            long before = refusals();
            await().until(() -> waiting.isDone() || refusals() > before + 20);
            move.finish();
            assertThat(waiting.join().release()).isTrue();
        }
    }

    @Test
    @DisplayName("a lock id that holds nothing is not found, before and after")
    void unknownId() {
        move.finish();
        LockId stranger = backend.newLockId(key);

        assertThat(backend.findById(stranger, none())).isEqualTo(Optional.empty());
        assertThat(backend.release(new ReleaseRequest(stranger, key), none())).isEqualTo(ReleaseOutcome.NOT_FOUND);
        assertThat(backend.findById(lockId, none())).isPresent();
    }
}
