package dev.syncguard.firestore;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ConflictException;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What becomes of an operation when the service fails in the middle of it. */
class FirestoreFaultsTest {

    /** Long enough to come to the commit on a busy machine. */
    private static final Duration HASTY = Duration.ofSeconds(2);

    private static final int ALWAYS = 1000;

    @AutoClose
    private static final TestServer STARTED = TestServer.start();

    private static final FirestoreServer SERVER = STARTED.server();
    private static final Firestore CLIENT = STARTED.client();

    private static int keys;

    private final LockKey key = LockKey.of("fault:" + ++keys);
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
    @EnumSource(value = Status.Code.class, names = "OK", mode = Mode.EXCLUDE)
    @DisplayName("a failure before the commit leaves nothing behind, and says so")
    void readFails(Status.Code code) {
        SERVER.fail("BatchGetDocuments", code, ALWAYS);

        LockException failure = failedAcquire(hasty, hasty.newLockId(key));
        SERVER.clearFaults();

        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(failure).hasMessageNotContaining(key.value());
        assertThat(probe.stored(key.value())).isEmpty();
        assertThat(SERVER.counts()).doesNotContainKey("Commit");
    }

    @ParameterizedTest
    @CsvSource({
        "BatchGetDocuments, ABORTED",
        "Commit, ABORTED",
        "Commit, FAILED_PRECONDITION",
        "Commit, ALREADY_EXISTS",
        "Commit, NOT_FOUND"
    })
    @DisplayName("a conflict is repeated, and fenced once")
    void repeatsConflict(String rpc, Status.Code answer) {
        SERVER.fail(rpc, answer, 1);

        assertThat(grant(backend.newLockId(key)).fence()).isEqualTo(new Fence(1));
    }

    @Test
    @DisplayName(
            "conflicts without end are unavailable, known not to be applied, and not repeated when the ttl has passed")
    void endlessConflict() {
        SERVER.fail("Commit", Status.Code.ABORTED, ALWAYS);
        AcquireRequest request = new AcquireRequest(key, backend.newLockId(key), new Ttl(1500), false);

        LockException failure = catchThrowableOfType(LockException.class, () -> backend.acquire(request, none()));

        assertThat(failure).isInstanceOf(ConflictException.class);
        assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(SERVER.counts().get("Commit")).isPositive();
    }

    @Test
    @DisplayName("a waiting acquire goes on after conflicts that were given up")
    void waitsThroughConflicts() {
        SERVER.fail("Commit", Status.Code.ABORTED, ALWAYS);
        LockOptions options = LockOptions.defaults().ttl(Duration.ofSeconds(4)).waitAtMost(Duration.ofMinutes(1));

        try (SyncGuard guard = SyncGuard.of(backend)) {
            CompletableFuture<Lease> waiter =
                    guard.async().acquire(key.value(), options).toCompletableFuture();
            await().during(Duration.ofSeconds(6)).atMost(Duration.ofSeconds(8)).until(() -> !waiter.isDone());
            SERVER.clearFaults();

            assertThat(waiter).succeedsWithin(Duration.ofSeconds(40));
        }
    }

    @Test
    @DisplayName("a timeout while reading: nothing is written afterwards")
    void timeoutWhileReading() {
        HeldCall read = SERVER.hold("BatchGetDocuments");
        LockId lockId = backend.newLockId(key);

        LockException failure = failedAcquire(hasty, lockId);
        read.release();

        assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(probe.stored(key.value())).isEmpty();
        assertThat(SERVER.counts()).doesNotContainKey("Commit");
        assertThat(grant(backend.newLockId(key)).fence()).isEqualTo(new Fence(1));
    }

    @Test
    @DisplayName("a signal that is aborted while reading: nothing is written")
    void abortedAfterReads() {
        AbortSignal signal = AbortSignal.create();
        HeldCall read = SERVER.hold("BatchGetDocuments");
        AcquireRequest request = request(backend.newLockId(key));
        CompletableFuture<AcquireOutcome> running =
                CompletableFuture.supplyAsync(() -> backend.acquire(request, signal));
        read.awaitArrival();

        signal.abort();
        read.release();

        LockException failure =
                (LockException) catchThrowableOfType(java.util.concurrent.CompletionException.class, running::join)
                        .getCause();
        assertThat(failure.code()).isEqualTo(Code.ABORTED);
        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(SERVER.counts()).doesNotContainKey("Commit");
        assertThat(probe.stored(key.value())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {"PERMISSION_DENIED", "UNAUTHENTICATED"})
    @DisplayName("no permission and no credentials are told as such")
    void notAllowed(Status.Code code) {
        SERVER.fail("BatchGetDocuments", code, ALWAYS);

        assertThat(failedAcquire(backend, backend.newLockId(key)).code()).isEqualTo(Code.AUTH_FAILED);
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
