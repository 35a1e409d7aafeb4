package dev.syncguard.firestore;

import static dev.syncguard.AbortSignal.none;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.spi.StoreDiagnostics.Finding;
import dev.syncguard.spi.StoreDiagnostics.Level;
import dev.syncguard.testbed.firestore.FirestoreServer;
import io.grpc.Status;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FirestoreDiagnosticsTest {

    private static FirestoreServer server;
    private static Firestore client;

    @BeforeAll
    static void start() {
        server = FirestoreServer.start();
        client = Clients.warm(server.hostAndPort());
    }

    @AfterAll
    static void stop() throws Exception {
        client.close();
        server.close();
    }

    @AfterEach
    void heal() {
        server.clearFaults();
        server.clockOffset(Duration.ZERO);
    }

    private static Map<String, Level> inspect() {
        FirestoreLockBackend backend = FirestoreLockBackend.builder(client)
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
        server.clockOffset(Duration.ofMillis(350));
        assertThat(inspect()).containsEntry("firestore.clock", Level.WARN);

        server.clockOffset(Duration.ofSeconds(3));
        assertThat(inspect()).containsEntry("firestore.clock", Level.DANGER);
    }

    @Test
    @DisplayName("no permission is a danger, no answer is unknown")
    void failing() {
        server.fail("RunQuery", Status.Code.PERMISSION_DENIED, 1);
        assertThat(inspect()).containsEntry("firestore.reachable", Level.DANGER);

        server.fail("RunAggregationQuery", Status.Code.PERMISSION_DENIED, 1);
        assertThat(inspect()).containsEntry("firestore.counters", Level.DANGER);

        server.fail("RunQuery", Status.Code.UNAVAILABLE, 1000);
        assertThat(inspect()).containsEntry("firestore.reachable", Level.UNKNOWN);
    }
}
