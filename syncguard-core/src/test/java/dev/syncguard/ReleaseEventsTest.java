package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LeaseEvent;
import dev.syncguard.spi.LeaseObserver;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of a lease is told as the store answered it. */
class ReleaseEventsTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final List<LeaseEvent> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();

    private final GatedBackend store = new GatedBackend(Duration.ofSeconds(10)) {
        @Override
        public Optional<LeaseObserver> leaseObserver() {
            return Optional.of(events::add);
        }

        @Override
        public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
            ReleaseOutcome outcome = super.release(request, signal);
            if (failures.getAndDecrement() > 0) {
                throw new LockException(Code.NETWORK_TIMEOUT, "reply lost", null, true);
            }
            return outcome;
        }
    };

    private List<LeaseEvent.Type> types() {
        return events.stream().map(LeaseEvent::type).toList();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a release is told after the store has answered, with what was left when the holder gave the lease up")
    void releasedAfterTheAnswer(Driver driver) {
        try (SyncGuard guard = SyncGuard.of(store)) {
            Lease lease = guard.acquire("k", LockOptions.defaults().ttl(Duration.ofSeconds(2)));
            store.releases.shut();
            CompletableFuture<Boolean> releasing = driver.release(lease);
            await().until(() -> store.releases.waiting() == 1);
            assertThat(types()).containsExactly(LeaseEvent.Type.GRANTED);
            long heldAtMost = System.nanoTime();
            await().until(() ->
                    System.nanoTime() - heldAtMost > Duration.ofSeconds(2).toNanos());

            store.releases.open();

            assertThat(releasing).succeedsWithin(SOON).isEqualTo(true);
            assertThat(types()).containsExactly(LeaseEvent.Type.GRANTED, LeaseEvent.Type.RELEASED);
            assertThat(events.get(1).remainingShare()).isPositive();
            assertThat(events.get(1).nanos()).isLessThan(Duration.ofSeconds(2).toNanos());
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a release that fails is told as failed, and as released once a repetition by hand succeeds")
    void failed(Driver driver) {
        try (SyncGuard guard = SyncGuard.of(store)) {
            Lease lease = guard.acquire("k");
            failures.set(1);

            assertThat(catchThrowable(driver.release(lease)::join)).hasRootCauseInstanceOf(LockException.class);
            assertThat(types()).containsExactly(LeaseEvent.Type.GRANTED, LeaseEvent.Type.RELEASE_FAILED);

            assertThat(driver.release(lease)).succeedsWithin(SOON);
            assertThat(types())
                    .containsExactly(LeaseEvent.Type.GRANTED, LeaseEvent.Type.RELEASE_FAILED, LeaseEvent.Type.RELEASED);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("the end of a block that succeeds at its second try is told as released, once")
    void secondTryOfClose(Driver driver) {
        try (SyncGuard guard = SyncGuard.of(store)) {
            Lease lease = guard.acquire("k");
            failures.set(1);

            assertThat(driver.close(lease)).succeedsWithin(SOON);
            assertThat(types()).containsExactly(LeaseEvent.Type.GRANTED, LeaseEvent.Type.RELEASED);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a lock that the store no longer had at the release is told as lost only")
    void lostAtRelease(Driver driver) {
        try (SyncGuard guard = SyncGuard.of(store)) {
            Lease lease = guard.acquire("k");
            store.release(new ReleaseRequest(lease.lockId(), LockKey.of("k")), AbortSignal.none());

            assertThat(driver.release(lease)).succeedsWithin(SOON).isEqualTo(false);
            assertThat(types()).containsExactly(LeaseEvent.Type.GRANTED, LeaseEvent.Type.LOST);
        }
    }
}
