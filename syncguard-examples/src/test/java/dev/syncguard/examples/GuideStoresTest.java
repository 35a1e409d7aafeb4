package dev.syncguard.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.Fence;
import dev.syncguard.SyncGuard;
import dev.syncguard.testbed.PostgresServer;
import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.firestore.FirestoreServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Runs the first lines of each store, as the README and the guide show them. */
class GuideStoresTest {

    @TempDir
    Path directory;

    @Test
    @DisplayName("Redis: the first lines grant a lock, and a prefix with time-floored fences a higher one")
    void redis() {
        try (RedisServer server = RedisServer.start();
                SyncGuard guard = GuideStores.redis(server.url());
                SyncGuard billing = SyncGuard.of(GuideStores.redisSettings(server.url()))) {
            grantsTheFirstFence(guard);
            billing.run(
                    "invoice:42",
                    lease -> assertThat(lease.fence().isNewerThan(new Fence(1_000_000)))
                            .isTrue());
        }
    }

    @Test
    @DisplayName("PostgreSQL: the schema and the first lines grant a lock")
    void postgres() {
        try (PostgresServer server = PostgresServer.start(Map.of())) {
            PGSimpleDataSource dataSource = new PGSimpleDataSource();
            dataSource.setUrl(server.url());
            try (SyncGuard guard = GuideStores.postgres(dataSource)) {
                grantsTheFirstFence(guard);
            }
        }
    }

    @Test
    @DisplayName("Firestore: the first lines grant a lock")
    void firestore() {
        try (FirestoreServer server = FirestoreServer.start()) {
            Firestore client = FirestoreOptions.newBuilder()
                    .setProjectId(server.projectId())
                    .setEmulatorHost(server.hostAndPort())
                    .build()
                    .getService();
            try (SyncGuard guard = GuideStores.firestore(client)) {
                assertThat(guard.isLocked("warm-up")).isFalse(); // a cold client takes its time
                grantsTheFirstFence(guard);
            }
            client.shutdownNow();
        }
    }

    @Test
    @DisplayName("SQLite: the first lines grant a lock")
    void sqlite() {
        try (SyncGuard guard = GuideStores.sqlite(directory.resolve("locks.db"))) {
            grantsTheFirstFence(guard);
        }
    }

    private static void grantsTheFirstFence(SyncGuard guard) {
        guard.run("invoice:42", lease -> assertThat(lease.fence()).isEqualTo(new Fence(1)));
        assertThat(guard.isLocked("invoice:42")).isFalse();
    }
}
