package dev.syncguard.firestore;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ConflictException;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.Ttl;
import dev.syncguard.testbed.firestore.FirestoreServer;
import dev.syncguard.testbed.firestore.HeldCall;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of an operation when the service fails in the middle of it. */
class FirestoreFaultsTest {

    private static final Duration SHORT = Duration.ofMillis(700);
    private static final int ALWAYS = 1000;

    @AutoClose
    private static final TestServer STARTED = TestServer.start();

    private static final FirestoreServer SERVER = STARTED.server();
    private static final Firestore CLIENT = STARTED.client();

    private static int keys;

    private final LockKey key = LockKey.of("fault:" + ++keys);
    private final FirestoreProbe probe = new FirestoreProbe(CLIENT);
    private final FirestoreLockBackend backend =
            FirestoreLockBackend.builder(CLIENT).commandTimeout(SHORT).build();

    @BeforeEach
    void warmUp() {
        grantOther();
        SERVER.clearCounts();
    }

    @AfterEach
    void heal() {
        SERVER.clearFaults();
    }

    private void grantOther() {
        LockKey other = LockKey.of(key.value() + ":warm");
        FirestoreLockBackend patient = FirestoreLockBackend.builder(CLIENT).build();
        patient.acquire(new AcquireRequest(other, patient.newLockId(other), new Ttl(1000), false), none());
    }

    private AcquireOutcome acquire(LockId lockId) {
        return acquire(lockId, none());
    }

    private AcquireOutcome acquire(LockId lockId, AbortSignal signal) {
        return backend.acquire(new AcquireRequest(key, lockId, new Ttl(60_000), false), signal);
    }

    private LockException failedAcquire(LockId lockId) {
        LockException failure = catchThrowableOfType(LockException.class, () -> acquire(lockId));
        assertThat(failure).as("the failure").isNotNull();
        return failure;
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {"CANCELLED", "UNKNOWN", "DEADLINE_EXCEEDED", "INTERNAL", "UNAVAILABLE", "UNAUTHENTICATED"})
    @DisplayName(
            "a commit that was applied but reported as failed: unknown, and the same id finds its own grant, fenced once")
    void commitReplyLost(Status.Code reported) {
        SERVER.loseReply("Commit", reported, ALWAYS);
        LockId lockId = backend.newLockId(key);

        LockException failure = failedAcquire(lockId);
        SERVER.clearFaults();

        assertThat(failure.outcomeUnknown()).isTrue();
        assertThat(((Granted) acquire(lockId)).fence()).isEqualTo(new Fence(1));
        assertThat(probe.fenceCounter(key.value())).isEqualTo(1);
    }

    @Test
    @DisplayName("a commit that is never answered: unknown after the command timeout")
    void commitNeverAnswered() {
        SERVER.neverReply("Commit", ALWAYS);

        LockException failure = failedAcquire(backend.newLockId(key));

        assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
        assertThat(failure.outcomeUnknown()).isTrue();
        assertThat(probe.stored(key.value())).isPresent();
    }

    @Test
    @DisplayName("the guard takes back what a lost reply may have granted")
    void compensated() {
        try (SyncGuard guard = SyncGuard.of(backend)) {
            SERVER.loseReply("Commit", Status.Code.UNAVAILABLE, ALWAYS);

            assertThat(catchThrowableOfType(LockException.class, () -> guard.tryAcquire(key.value()))
                            .outcomeUnknown())
                    .isTrue();
            assertThat(probe.stored(key.value())).isPresent();
            SERVER.clearFaults();

            await().atMost(Duration.ofSeconds(20))
                    .until(() -> probe.stored(key.value()).isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(value = Status.Code.class, names = "OK", mode = Mode.EXCLUDE)
    @DisplayName("a failure before the commit leaves nothing behind, and says so")
    void readFails(Status.Code code) {
        SERVER.fail("BatchGetDocuments", code, ALWAYS);

        LockException failure = failedAcquire(backend.newLockId(key));
        SERVER.clearFaults();

        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(failure).hasMessageNotContaining(key.value());
        assertThat(probe.stored(key.value())).isEmpty();
        assertThat(SERVER.counts()).doesNotContainKey("Commit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BeginTransaction", "BatchGetDocuments", "Commit"})
    @DisplayName("a conflict is repeated, and fenced once")
    void repeatsConflict(String rpc) {
        SERVER.fail(rpc, Status.Code.ABORTED, 1);

        assertThat(((Granted) acquire(backend.newLockId(key))).fence()).isEqualTo(new Fence(1));
    }

    @Test
    @DisplayName("a commit reported as aborted although it was applied finds its own grant")
    void abortedButApplied() {
        SERVER.loseReply("Commit", Status.Code.ABORTED, 1);

        assertThat(((Granted) acquire(backend.newLockId(key))).fence()).isEqualTo(new Fence(1));
        assertThat(probe.fenceCounter(key.value())).isEqualTo(1);
    }

    @Test
    @DisplayName("conflicts without end are unavailable, known not to be applied, within the command timeout")
    void endlessConflict() {
        SERVER.fail("Commit", Status.Code.ABORTED, ALWAYS);
        long start = System.nanoTime();

        LockException failure = failedAcquire(backend.newLockId(key));

        assertThat(failure).isInstanceOf(ConflictException.class);
        assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT.plusSeconds(3));
        assertThat(SERVER.counts().get("Commit")).isGreaterThan(1);
    }

    @Test
    @DisplayName("a conflict is not repeated when the ttl has passed")
    void boundedByTtl() {
        SERVER.delay("Commit", Duration.ofMillis(200), 1);
        SERVER.fail("Commit", Status.Code.ABORTED, ALWAYS);
        SERVER.fail("BeginTransaction", Status.Code.ABORTED, 1);
        AcquireRequest request = new AcquireRequest(key, backend.newLockId(key), new Ttl(1), false);

        assertThat(catchThrowableOfType(LockException.class, () -> backend.acquire(request, none())))
                .isInstanceOf(ConflictException.class);
        assertThat(SERVER.counts()).containsEntry("BeginTransaction", 1);
    }

    @Test
    @DisplayName("a waiting acquire goes on after conflicts")
    void waitsThroughConflicts() {
        SERVER.fail("Commit", Status.Code.ABORTED, 12);
        LockOptions patient = LockOptions.defaults().waitAtMost(Duration.ofSeconds(40));

        try (SyncGuard guard = SyncGuard.of(backend)) {
            assertThat(guard.acquire(key.value(), patient).isValid()).isTrue();
        }
    }

    @Test
    @DisplayName("a release whose reply is lost is unknown; the lock is gone")
    void releaseReplyLost() {
        LockId lockId = backend.newLockId(key);
        acquire(lockId);
        SERVER.loseReply("Commit", Status.Code.UNAVAILABLE, ALWAYS);

        LockException failure = catchThrowableOfType(LockException.class, () -> backend.release(lockId, none()));
        SERVER.clearFaults();

        assertThat(failure.outcomeUnknown()).isTrue();
        assertThat(backend.release(lockId, none())).isEqualTo(ReleaseOutcome.NOT_FOUND);
    }

    @Test
    @DisplayName("a time-out while reading: nothing is written afterwards, and what was read is free again")
    void timeoutWhileReading() {
        HeldCall read = SERVER.hold("BatchGetDocuments");
        LockId lockId = backend.newLockId(key);

        LockException failure = failedAcquire(lockId);
        read.release();

        assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
        assertThat(failure.outcomeUnknown()).isFalse();
        await().until(() -> SERVER.counts().containsKey("Rollback"));
        assertThat(probe.stored(key.value())).isEmpty();
        assertThat(SERVER.counts()).doesNotContainKey("Commit");
        assertThat(acquire(backend.newLockId(key))).isInstanceOf(Granted.class);
    }

    @Test
    @DisplayName("a signal that is aborted while reading: nothing is written, the transaction is rolled back")
    void abortedAfterReads() {
        AbortSignal signal = AbortSignal.create();
        HeldCall read = SERVER.hold("BatchGetDocuments");
        FirestoreLockBackend patient = FirestoreLockBackend.builder(CLIENT).build();
        AcquireRequest request = new AcquireRequest(key, patient.newLockId(key), new Ttl(60_000), false);
        CompletableFuture<AcquireOutcome> running =
                CompletableFuture.supplyAsync(() -> patient.acquire(request, signal));
        read.awaitArrival();

        signal.abort();
        read.release();

        LockException failure =
                (LockException) catchThrowableOfType(java.util.concurrent.CompletionException.class, running::join)
                        .getCause();
        assertThat(failure.code()).isEqualTo(Code.ABORTED);
        assertThat(failure.outcomeUnknown()).isFalse();
        await().until(() -> SERVER.counts().containsKey("Rollback"));
        assertThat(SERVER.counts()).doesNotContainKey("Commit");
        assertThat(probe.stored(key.value())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {"PERMISSION_DENIED", "UNAUTHENTICATED"})
    @DisplayName("no permission and no credentials are told as such")
    void notAllowed(Status.Code code) {
        SERVER.fail("BeginTransaction", code, ALWAYS);

        assertThat(failedAcquire(backend.newLockId(key)).code()).isEqualTo(Code.AUTH_FAILED);
    }

    @Test
    @DisplayName("a client of another project is told to check it")
    void wrongProject() {
        Firestore stranger = Clients.of(SERVER.hostAndPort(), "another-project");
        FirestoreLockBackend wrong = FirestoreLockBackend.builder(stranger).build();

        assertThat(catchThrowableOfType(LockException.class, () -> wrong.isLocked(key, none())))
                .satisfies(failure -> assertThat(failure.code()).isEqualTo(Code.AUTH_FAILED))
                .hasMessageContaining("project id");
        stranger.shutdownNow();
    }
}
