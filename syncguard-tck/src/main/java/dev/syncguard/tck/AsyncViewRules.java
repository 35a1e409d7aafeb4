package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.AcquireResult;
import dev.syncguard.AsyncSyncGuard;
import dev.syncguard.Contended;
import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** ASY: the asynchronous view of a guard on the backend, with native asynchronous operations or without. */
abstract class AsyncViewRules extends Rules {

    SyncGuard guard;
    AsyncSyncGuard async;

    AsyncViewRules(LockBackendTck kit) {
        super(kit, Form.BLOCKING);
    }

    @BeforeEach
    void openGuard() {
        guard = kit.createGuard();
        async = guard.async();
    }

    @AfterEach
    void closeGuard() {
        guard.close();
    }

    @Test
    @Rule("ASY-1")
    @DisplayName("the verbs give what the blocking ones give")
    void sameOutcomes() {
        String name = key.value();
        Lease lease = JoinedBackend.join(async.acquire(name));

        assertThat(stored(key).lockId()).isEqualTo(lease.lockId());
        assertThat(JoinedBackend.<AcquireResult>join(async.tryAcquire(name))).isInstanceOf(Contended.class);
        assertThat(JoinedBackend.join(async.isLocked(name))).isTrue();
        assertThat(JoinedBackend.join(async.owns(lease.lockId()))).isTrue();
        assertThat(JoinedBackend.join(async.lookup(name)))
                .hasValueSatisfying(info -> assertThat(info.fence()).isEqualTo(lease.fence()));
        assertThat(JoinedBackend.join(async.extend(lease.lockId(), Duration.ofHours(1)))
                        .ok())
                .isTrue();
        assertThat(JoinedBackend.join(async.release(lease.lockId()))).isTrue();
        assertThat(JoinedBackend.join(async.lookup(lease.lockId()))).isEmpty();
    }

    @Test
    @Rule("ASY-5")
    @DisplayName("an acquire that was cancelled while it waited leaves no lock behind")
    void cancelled() {
        try (Lease holder = guard.acquire(key.value())) {
            CompletableFuture<Lease> waiting = async.acquire(
                            key.value(), LockOptions.defaults().waitAtMost(Duration.ofMinutes(1)))
                    .toCompletableFuture();
            waiting.cancel(false);
            assertThat(stored(key).lockId()).isEqualTo(holder.lockId());
        }

        try (SyncGuard elsewhere = kit.createGuard();
                Lease next = elsewhere.acquire(key.value())) {
            assertThat(next.isValid()).isTrue();
        }
    }

    @Test
    @Rule("ASY-6")
    @DisplayName("call completes with the result after the lock is released")
    void calls() {
        CompletableFuture<Boolean> body = new CompletableFuture<>();
        CompletableFuture<Boolean> call = async.call(key.value(), lease -> body).toCompletableFuture();
        await("the lock is held", () -> store.stored(key.value()).isPresent());

        body.complete(true);

        assertThat(JoinedBackend.join(call)).isTrue();
        assertThat(store.stored(key.value())).isEmpty();
    }
}
