package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.StoredLock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** LSE: what a guard makes of the backend. */
abstract class LeaseRules extends Rules {

    private static final Duration TTL = Duration.ofMillis(1500);
    private static final LockOptions RENEWED = LockOptions.defaults().ttl(TTL).autoExtend();

    SyncGuard guard;
    SyncGuard elsewhere;

    LeaseRules(LockBackendTck kit) {
        super(kit, Form.BLOCKING);
    }

    @BeforeEach
    void openGuards() {
        guard = kit.createGuard();
        elsewhere = kit.createGuard();
    }

    @AfterEach
    void closeGuards() {
        guard.close();
        elsewhere.close();
    }

    private Optional<StoredLock> inStore() {
        return store.stored(key.value());
    }

    @Test
    @Rule("LSE-5")
    @DisplayName("call holds the lock during the body and gives it back after it")
    void calls() {
        StoredLock during = guard.call(key.value(), lease -> inStore().orElseThrow());

        assertThat(during.key()).isEqualTo(key.value());
        assertThat(inStore()).isEmpty();
    }

    @Test
    @Rule("LSE-5")
    @DisplayName("run gives the lock back when the body throws")
    void runs() {
        assertThatThrownBy(() -> guard.run(key.value(), lease -> {
                    throw new UnsupportedOperationException("by the body");
                }))
                .isInstanceOf(UnsupportedOperationException.class);

        assertThat(inStore()).isEmpty();
    }

    @Test
    @Rule("LSE-12")
    @DisplayName("a renewed lease lasts for longer than its ttl")
    void renews() {
        try (Lease lease = guard.acquire(key.value(), RENEWED)) {
            long firstEnd = stored(key).expiresAtMs();

            kit.passTime(TTL.multipliedBy(2));

            assertThat(lease.isValid()).isTrue();
            assertThat(stored(key).lockId()).isEqualTo(lease.lockId());
            assertThat(stored(key).expiresAtMs()).isGreaterThan(firstEnd);
        }
        assertThat(inStore()).isEmpty();
    }

    @Test
    @Rule("LSE-6")
    @DisplayName("a renewed lease notices that the store no longer has its lock, and says so once")
    void noticesLoss() {
        List<LeaseLostException> losses = new CopyOnWriteArrayList<>();
        LockOptions options = RENEWED.onLost(losses::add);
        try (Lease lease = guard.acquire(key.value(), options)) {
            elsewhere.release(lease.lockId());

            kit.passTime(TTL.dividedBy(2));
            await("the loss is reported", () -> !losses.isEmpty());

            assertThat(lease.wasLost()).isTrue();
            assertThat(lease.isValid()).isFalse();
            assertThat(losses).hasSize(1);
        }
    }

    @Test
    @Rule("LSE-4")
    @DisplayName("call throws the loss, with the result, if the lock was gone when the body ended")
    void callReportsLoss() {
        LeaseLostException loss = catchThrowableOfType(
                LeaseLostException.class,
                () -> guard.call(key.value(), lease -> {
                    elsewhere.release(lease.lockId());
                    return "done";
                }));

        assertThat(loss).as("the loss").isNotNull();
        assertThat(loss.result()).contains("done");
    }

    @Test
    @Rule("LSE-15")
    @DisplayName("a lease that is released before its minimum leaves the lock until then, and no longer")
    void keepsMinimum() {
        Duration minimum = Duration.ofMillis(1500);
        long earliest = store.nowMs();

        Fence fence = guard.call(
                key.value(), LockOptions.defaults().ttl(Duration.ofHours(1)).holdAtLeast(minimum), Lease::fence);

        assertThat(stored(key).expiresAtMs())
                .isBetween(earliest + minimum.toMillis(), store.nowMs() + minimum.toMillis() + 1);
        assertThat(stored(key).fence()).isEqualTo(fence);
        kit.passTime(minimum.plusMillis(Liveness.TIME_TOLERANCE_MS + 50));
        assertThat(elsewhere.tryAcquire(key.value()))
                .isInstanceOfSatisfying(
                        Lease.class,
                        next -> assertThat(next.fence().isNewerThan(fence)).isTrue());
    }

    @Test
    @Rule("LSE-14")
    @DisplayName("another guard can see, extend and release a lock by its id")
    void worksByIdFromElsewhere() {
        Lease lease = guard.acquire(key.value());

        assertThat(elsewhere.owns(lease.lockId())).isTrue();
        assertThat(elsewhere.extend(lease.lockId(), Duration.ofHours(1)).ok()).isTrue();
        assertThat(elsewhere.lookup(key.value()))
                .hasValueSatisfying(info -> assertThat(info.fence()).isEqualTo(lease.fence()));
        assertThat(elsewhere.release(lease.lockId())).isTrue();

        assertThat(inStore()).isEmpty();
    }
}
