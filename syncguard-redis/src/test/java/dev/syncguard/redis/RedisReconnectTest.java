package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.testbed.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a release that meets a reconnect")
class RedisReconnectTest {

    private static final int LOCKS = 40;
    private static final LockOptions LONG = LockOptions.defaults().ttl(Duration.ofHours(1));

    private final RedisServer server = RedisServer.start();
    private final SyncGuard guard = SyncGuard.of(RedisLockBackend.builder(server.url())
            .commandTimeout(Duration.ofSeconds(10)) // for a busy machine
            .build());

    @AfterEach
    void close() {
        guard.close();
        server.close();
    }

    @Test
    @DisplayName("is repeated in the background: no lock is left of 40 whose connection was killed")
    void noneLeft() {
        int met = 0;
        for (int i = 0; i < LOCKS; i++) {
            met += isLeftAfterBlock("k" + i) ? 1 : 0;
        }

        assertThat(met).as("releases that met the reconnect").isPositive();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(locks()).isZero());
        await().until(() -> guard.pendingReleases() == 0);
    }

    /** Returns whether the release at the end of the block failed at first, because its connection was killed. */
    private boolean isLeftAfterBlock(String key) {
        await().ignoreExceptions().until(() -> !guard.isLocked("other"));
        guard.run(key, LONG, lease -> server.command("CLIENT", "KILL", "TYPE", "normal"));
        return server.command("EXISTS", "syncguard:" + key).equals("1");
    }

    private long locks() {
        return server.command("KEYS", "syncguard:k*")
                .lines()
                .filter(name -> !name.isEmpty())
                .count();
    }
}
