package dev.syncguard.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Lease;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.sqlite.SqliteLockBackend;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the code of the guide's pages about operating. */
class GuideOperationsTest {

    @TempDir
    Path directory;

    @Test
    @DisplayName("a holder owns its lock until the release")
    void ownership() {
        try (SyncGuard guard = SyncGuard.of(new MemoryLockBackend())) {
            Lease lease = guard.acquire("invoice:42");
            GuideOperations.Ownership held = GuideOperations.ownership(guard, lease);
            assertThat(held.owned()).isTrue();
            assertThat(held.seen().orElseThrow().fence()).isEqualTo(lease.fence());
            assertThat(held.holder().orElseThrow().lockId()).isEqualTo(lease.lockId());

            lease.close();
            assertThat(GuideOperations.ownership(guard, lease).owned()).isFalse();
        }
    }

    @Test
    @DisplayName("the meters that the guide tells to watch are there")
    void meters() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (SyncGuard guard = GuideOperations.meters(new MemoryLockBackend(), registry)) {
            guard.run("invoice:42", lease -> {});
            for (String meter : new String[] {
                "syncguard.lease.margin", "syncguard.acquires", "syncguard.operations", "syncguard.releases.pending"
            }) {
                assertThat(registry.find(meter).tag("store", "redis").meters())
                        .as(meter)
                        .isNotEmpty();
            }
        }
    }

    @Test
    @DisplayName("a lock file on a local disk is healthy")
    void isHealthy() {
        try (SyncGuard guard = SyncGuard.of(SqliteLockBackend.open(directory.resolve("locks.db")))) {
            assertThat(GuideOperations.isHealthy(guard)).isTrue();
        }
    }

    @Test
    @DisplayName("a key names environment, kind and id")
    void keys() {
        assertThat(GuideOperations.invoice("prod", 42)).isEqualTo("prod:invoice:42");
    }
}
