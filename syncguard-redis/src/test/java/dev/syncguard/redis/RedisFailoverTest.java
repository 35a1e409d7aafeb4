package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.FenceMode;
import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.testbed.RedisSentinels;
import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("failover by sentinels")
class RedisFailoverTest {

    private static SyncGuard guard(RedisSentinels servers) {
        return SyncGuard.of(RedisLockBackend.builder(servers.url())
                .fenceMode(FenceMode.TIME_FLOORED)
                .commandTimeout(Duration.ofMillis(500))
                .build());
    }

    @Test
    @DisplayName("with waiters waiting: all get the lock from the new primary, on one line of fences")
    void waitersGoOn() throws Exception {
        LockOptions patient = LockOptions.defaults()
                .ttl(Duration.ofSeconds(3))
                .waitAtMost(Duration.ofMinutes(1))
                .retryStoreErrors();
        try (RedisSentinels servers = RedisSentinels.start();
                SyncGuard holder = guard(servers);
                SyncGuard waiter = guard(servers)) {
            Lease held = holder.acquire("k", patient);
            List<CompletableFuture<Long>> waiting = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                SyncGuard guard = i % 2 == 0 ? holder : waiter;
                waiting.add(CompletableFuture.supplyAsync(() -> fence(guard, patient)));
            }
            await().until(() -> servers.primary().command("GET", "syncguard:k").contains("queue"));
            servers.primary().kill();
            servers.awaitFailover();

            List<Long> fences = new ArrayList<>(List.of(held.fence().value()));
            for (CompletableFuture<Long> one : waiting) {
                fences.add(one.get());
            }
            assertThat(fences).doesNotHaveDuplicates();
            assertThat(fences.stream().skip(1))
                    .allMatch(fence -> fence > held.fence().value());
            held.close();
        }
    }

    @Test
    @DisplayName(
            "a server that became a replica and kept its clients is left, as soon as its name stands for another one")
    void leavesReplica() {
        try (RedisServer old = RedisServer.start();
                RedisServer next = RedisServer.start();
                TcpProxy name = TcpProxy.to(old.port());
                SyncGuard guard = SyncGuard.of(RedisLockBackend.builder("redis://127.0.0.1:" + name.port())
                        .commandTimeout(Duration.ofSeconds(10)) // for a busy machine
                        .build())) {
            guard.acquire("k").close();
            name.redirect(next.port());
            old.command("REPLICAOF", "127.0.0.1", Integer.toString(next.port()));
            assertThatThrownBy(() -> guard.acquire("k")).hasMessageContaining("replica");

            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> guard.tryAcquire("k") instanceof Lease);
        }
    }

    private static long fence(SyncGuard guard, LockOptions options) {
        while (true) {
            try (Lease lease = guard.acquire("k", options)) {
                return lease.fence().value();
            } catch (LockException e) {
                // The primary died under the request; the guard has taken back what it may have been granted.
                assertThat(e.code().isTransient()).as(e.getMessage()).isTrue();
            }
        }
    }
}
