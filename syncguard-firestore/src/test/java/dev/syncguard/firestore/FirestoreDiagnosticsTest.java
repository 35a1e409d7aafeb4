package dev.syncguard.firestore;

import static dev.syncguard.AbortSignal.none;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.cloud.NoCredentials;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.testbed.firestore.FirestoreServer;
import io.grpc.Status;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FirestoreDiagnosticsTest {

    @AutoClose
    private static final TestServer STARTED = TestServer.start();

    private static final FirestoreServer SERVER = STARTED.server();
    private static final Firestore CLIENT = STARTED.client();

    @AfterEach
    void heal() {
        SERVER.clearFaults();
        SERVER.clockOffset(Duration.ZERO);
    }

    private static Map<String, Level> inspect() {
        FirestoreLockBackend backend = FirestoreLockBackend.builder(CLIENT)
                .commandTimeout(Duration.ofSeconds(3))
                .build();
        return backend.diagnostics().orElseThrow().inspect(none()).stream().collect(toMap(Finding::id, Finding::level));
    }

    @Test
    @DisplayName("a healthy store, but an emulator")
    void healthy() {
        assertThat(inspect())
                .containsOnly(
                        Map.entry("firestore.emulator", Level.WARN),
                        Map.entry("firestore.reachable", Level.OK),
                        Map.entry("firestore.clock", Level.OK),
                        Map.entry("firestore.counters", Level.OK));
    }

    @Test
    @DisplayName("a sound store that is no emulator: everything is ok")
    void sound() {
        FirestoreOptions likeTheService = FirestoreOptions.newBuilder()
                .setProjectId(SERVER.projectId())
                .setHost(SERVER.hostAndPort())
                .setCredentials(NoCredentials.getInstance()) // plain text to that host
                .build();
        Firestore client = likeTheService.getService();
        try (FirestoreLockBackend backend = FirestoreLockBackend.builder(client).build()) {
            assertThat(client.getOptions().getEmulatorHost()).isNull();

            assertThat(backend.diagnostics().orElseThrow().inspect(none()))
                    .hasSize(4)
                    .allSatisfy(finding -> assertThat(finding.level()).isEqualTo(Level.OK));
        } finally {
            client.shutdownNow();
        }
    }

    @Test
    @DisplayName("the server's clock runs ahead")
    void skewed() {
        SERVER.clockOffset(Duration.ofMillis(350));
        // The time under way counts in favour of the clock: a slow answer proves nothing.
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(inspect()).containsEntry("firestore.clock", Level.WARN));

        SERVER.clockOffset(Duration.ofSeconds(3));
        assertThat(inspect()).containsEntry("firestore.clock", Level.DANGER);
    }

    @Test
    @DisplayName("no permission is a danger, no answer is a warning")
    void failing() {
        SERVER.fail("RunQuery", Status.Code.PERMISSION_DENIED, 1);
        assertThat(inspect()).containsEntry("firestore.reachable", Level.DANGER);

        SERVER.fail("RunQuery", Status.Code.FAILED_PRECONDITION, 1);
        assertThat(inspect()).as("no index").containsEntry("firestore.reachable", Level.DANGER);

        SERVER.fail("RunAggregationQuery", Status.Code.PERMISSION_DENIED, 1);
        assertThat(inspect()).containsEntry("firestore.counters", Level.DANGER);

        SERVER.fail("RunQuery", Status.Code.UNAVAILABLE, 1000);
        assertThat(inspect()).containsEntry("firestore.reachable", Level.WARN);
    }

    @Test
    @DisplayName("strict refuses a clock that is too far off, when the backend is built")
    void strict() {
        SERVER.clockOffset(Duration.ofSeconds(3));
        LockException refused = catchThrowableOfType(
                LockException.class,
                () -> FirestoreLockBackend.builder(CLIENT).strict().build());

        assertThat(refused.code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(refused).hasMessageContaining("firestore.clock");

        SERVER.clockOffset(Duration.ZERO);
        FirestoreLockBackend.builder(CLIENT).strict().build().close();
    }

    @Test
    @DisplayName("strict refuses a store that lacks a permission, and one that does not answer")
    void strictNeedsAnAnswer() {
        SERVER.fail("RunQuery", Status.Code.PERMISSION_DENIED, 1);
        assertThat(strictFailure().code()).isEqualTo(Code.INVALID_ARGUMENT);

        SERVER.fail("RunQuery", Status.Code.UNAVAILABLE, 1000);
        assertThat(strictFailure().code()).isIn(Code.SERVICE_UNAVAILABLE, Code.NETWORK_TIMEOUT);
    }

    private static LockException strictFailure() {
        LockException failure = catchThrowableOfType(
                LockException.class,
                () -> FirestoreLockBackend.builder(CLIENT)
                        .commandTimeout(Duration.ofSeconds(3))
                        .strict()
                        .build());
        assertThat(failure).as("the failure").isNotNull();
        return failure;
    }

    @Test
    @DisplayName("the first acquire warns of an index that only the release would need")
    void warnsOfMissingIndex() {
        SERVER.fail("RunQuery", Status.Code.FAILED_PRECONDITION, 1000);
        Warnings warnings = Warnings.capture();
        try (FirestoreLockBackend backend = FirestoreLockBackend.builder(CLIENT).build()) {
            LockKey key = LockKey.of("no-index");
            backend.acquire(new AcquireRequest(key, backend.newLockId(key), Ttl.DEFAULT, false), none());

            await().until(() -> warnings.containing("firestore.reachable").stream()
                    .anyMatch(text -> text.contains("is the field lockId indexed")));
        } finally {
            warnings.close();
        }
    }

    @Test
    @DisplayName("the first acquire warns of an emulator")
    void warns() {
        Warnings warnings = Warnings.capture();
        try (FirestoreLockBackend backend = FirestoreLockBackend.builder(CLIENT).build()) {
            LockKey key = LockKey.of("warns");
            backend.acquire(new AcquireRequest(key, backend.newLockId(key), Ttl.DEFAULT, false), none());

            await().until(() -> !warnings.containing("firestore.emulator").isEmpty());
        } finally {
            warnings.close();
        }
    }
}
