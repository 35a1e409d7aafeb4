package dev.syncguard.firestore;

import static dev.syncguard.AbortSignal.none;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.spi.StoreDiagnostics.Finding;
import dev.syncguard.spi.StoreDiagnostics.Level;
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
    @DisplayName("no permission is a danger, no answer is unknown")
    void failing() {
        SERVER.fail("RunQuery", Status.Code.PERMISSION_DENIED, 1);
        assertThat(inspect()).containsEntry("firestore.reachable", Level.DANGER);

        SERVER.fail("RunAggregationQuery", Status.Code.PERMISSION_DENIED, 1);
        assertThat(inspect()).containsEntry("firestore.counters", Level.DANGER);

        SERVER.fail("RunQuery", Status.Code.UNAVAILABLE, 1000);
        assertThat(inspect()).containsEntry("firestore.reachable", Level.UNKNOWN);
    }
}
