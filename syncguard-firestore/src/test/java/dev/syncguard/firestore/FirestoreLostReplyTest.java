package dev.syncguard.firestore;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.SyncGuard;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ReleaseOutcome;
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
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of an operation whose commit is sent, but whose reply is lost or wrong. */
class FirestoreLostReplyTest {

    /** Long enough to come to the commit on a busy machine. */
    private static final Duration HASTY = Duration.ofSeconds(2);

    private static final int ALWAYS = 1000;

    @AutoClose
    private static final TestServer STARTED = TestServer.start();

    private static final FirestoreServer SERVER = STARTED.server();
    private static final Firestore CLIENT = STARTED.client();

    private static int keys;

    private final LockKey key = LockKey.of("lost:" + ++keys);
    private final FirestoreProbe probe = new FirestoreProbe(CLIENT);
    private final FirestoreLockBackend backend = backend(Duration.ofSeconds(30));
    private final FirestoreLockBackend hasty = backend(HASTY);

    private static FirestoreLockBackend backend(Duration commandTimeout) {
        return FirestoreLockBackend.builder(CLIENT)
                .commandTimeout(commandTimeout)
                .build();
    }

    @BeforeEach
    void countAnew() {
        SERVER.clearCounts();
    }

    @AfterEach
    void heal() {
        SERVER.clearFaults();
    }

    private AcquireRequest request(LockId lockId) {
        return new AcquireRequest(key, lockId, new Ttl(60_000), false);
    }

    private Granted grant(LockId lockId) {
        return (Granted) backend.acquire(request(lockId), none());
    }

    private LockException failedAcquire(FirestoreLockBackend failing, LockId lockId) {
        LockException failure =
                catchThrowableOfType(LockException.class, () -> failing.acquire(request(lockId), none()));
        assertThat(failure).as("the failure").isNotNull();
        return failure;
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {"CANCELLED", "UNKNOWN", "DEADLINE_EXCEEDED", "INTERNAL", "INVALID_ARGUMENT", "UNAUTHENTICATED"})
    @DisplayName(
            "a commit that was applied but reported as failed: unknown, and the same id finds its own grant, fenced once")
    void commitReplyLost(Status.Code reported) {
        SERVER.loseReply("Commit", reported, ALWAYS);
        LockId lockId = backend.newLockId(key);

        LockException failure = failedAcquire(hasty, lockId);
        SERVER.clearFaults();

        assertThat(failure.outcomeUnknown()).isTrue();
        assertThat(failure.code()).isNotEqualTo(Code.INVALID_ARGUMENT);
        assertThat(grant(lockId).fence()).isEqualTo(new Fence(1));
        assertThat(probe.fenceCounter(key.value())).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, ALWAYS})
    @DisplayName("a commit whose reply is lost and that the client sends again meets its own grant, fenced once")
    void commitRepeatedByTheClient(int times) {
        SERVER.loseReply("Commit", Status.Code.UNAVAILABLE, times);

        assertThat(grant(backend.newLockId(key)).fence()).isEqualTo(new Fence(1));
        assertThat(SERVER.counts().get("Commit")).as("commits").isGreaterThan(1);
        assertThat(probe.fenceCounter(key.value())).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {"PERMISSION_DENIED", "INVALID_ARGUMENT"})
    @DisplayName("a commit that the client sent again is unknown if the read after it fails")
    void conflictThenFailedRead(Status.Code status) {
        SERVER.loseReply("Commit", Status.Code.UNAVAILABLE, 1);
        SERVER.delay("BatchGetDocuments", Duration.ofMillis(1), 1);
        SERVER.fail("BatchGetDocuments", status, ALWAYS);

        LockException failure = failedAcquire(backend, backend.newLockId(key));
        SERVER.clearFaults();

        assertThat(failure.outcomeUnknown()).isTrue();
        assertThat(failure.code()).isNotEqualTo(Code.INVALID_ARGUMENT);
        assertThat(probe.stored(key.value())).as("it was granted").isPresent();
    }

    @Test
    @DisplayName("an extension whose reply is lost and that the client sends again is extended")
    void extensionRepeatedByTheClient() {
        LockId lockId = grant(backend.newLockId(key)).lockId();
        SERVER.loseReply("Commit", Status.Code.UNAVAILABLE, 1);

        assertThat(backend.extend(lockId, new Ttl(90_000), none())).isInstanceOf(ExtendOutcome.Extended.class);
    }

    @Test
    @DisplayName("a commit that is refused as invalid is unavailable with an unknown outcome, never the caller's fault")
    void commitRefused() {
        SERVER.fail("Commit", Status.Code.INVALID_ARGUMENT, ALWAYS);

        LockException failure = failedAcquire(backend, backend.newLockId(key));

        assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
        assertThat(failure.outcomeUnknown()).isTrue();
    }

    @Test
    @DisplayName("a commit that is never answered: unknown after the command timeout")
    void commitNeverAnswered() {
        SERVER.neverReply("Commit", ALWAYS);

        LockException failure = failedAcquire(hasty, hasty.newLockId(key));

        assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
        assertThat(failure.outcomeUnknown()).isTrue();
        assertThat(probe.stored(key.value())).isPresent();
    }

    @Test
    @DisplayName("the guard takes back what a lost reply may have granted")
    void compensated() {
        try (SyncGuard guard = SyncGuard.of(hasty)) {
            SERVER.loseReply("Commit", Status.Code.INTERNAL, ALWAYS);

            assertThat(catchThrowableOfType(LockException.class, () -> guard.tryAcquire(key.value()))
                            .outcomeUnknown())
                    .isTrue();
            assertThat(probe.fenceCounter(key.value())).as("it was granted").isEqualTo(1);
            SERVER.clearFaults();

            await().atMost(Duration.ofSeconds(20))
                    .until(() -> probe.stored(key.value()).isEmpty());
        }
    }

    @Test
    @DisplayName("a commit reported as aborted although it was applied finds its own grant")
    void abortedButApplied() {
        SERVER.loseReply("Commit", Status.Code.ABORTED, 1);

        assertThat(grant(backend.newLockId(key)).fence()).isEqualTo(new Fence(1));
        assertThat(probe.fenceCounter(key.value())).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {"INTERNAL", "UNAVAILABLE"})
    @DisplayName("a release whose reply is lost is unknown, also if the client sends it again; the lock is gone")
    void releaseReplyLost(Status.Code reported) {
        LockId lockId = grant(backend.newLockId(key)).lockId();
        SERVER.loseReply("Commit", reported, ALWAYS);

        LockException failure = catchThrowableOfType(LockException.class, () -> backend.release(lockId, none()));
        SERVER.clearFaults();

        assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
        assertThat(failure.outcomeUnknown()).isTrue();
        assertThat(backend.release(lockId, none())).isEqualTo(ReleaseOutcome.NOT_FOUND);
    }

    @Test
    @DisplayName("a release beside another one of the same id waits for its outcome, and only one succeeds")
    void joinsRelease() {
        LockId lockId = grant(backend.newLockId(key)).lockId();
        HeldCall commit = SERVER.hold("Commit");
        CompletableFuture<ReleaseOutcome> first = CompletableFuture.supplyAsync(() -> backend.release(lockId, none()));
        commit.awaitArrival();
        CompletableFuture<ReleaseOutcome> second = CompletableFuture.supplyAsync(() -> backend.release(lockId, none()));

        commit.release();

        assertThat(first).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(second).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(ReleaseOutcome.NOT_FOUND);
    }
}
