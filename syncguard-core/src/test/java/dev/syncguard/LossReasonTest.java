package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LeaseEvent;
import dev.syncguard.spi.LeaseObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LossReasonTest {

    private static final LockOptions RENEWED =
            LockOptions.defaults().ttl(Duration.ofSeconds(30)).autoExtend();

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final List<LeaseLostException> losses = new CopyOnWriteArrayList<>();
    private final LogCapture log = LogCapture.start();

    @AfterEach
    void end() {
        log.close();
    }

    private LeaseLostException onlyLoss() {
        assertThat(losses).hasSize(1);
        return losses.get(0);
    }

    @Test
    @Rule("LSE-18")
    @DisplayName("loss: failing renewals are named, since when, with the last failure as the cause")
    void renewalsFailed() {
        guard.acquire("k", RENEWED.onLost(losses::add));
        simulator.outage(Duration.ofHours(1));

        simulator.advance(Duration.ofMinutes(1));

        assertThat(onlyLoss().reason()).isEqualTo(Reason.EXPIRED);
        assertThat(onlyLoss())
                .hasMessageContaining("renewals had been failing for 19980 ms")
                .hasMessageContaining(LockKey.of("k").hash())
                .hasMessageNotContaining("use a longer ttl")
                .cause()
                .isInstanceOf(LockException.class)
                .hasMessageContaining("simulated outage");
        assertThat(log.messages()).anyMatch(line -> line.contains("renewals had been failing"));
    }

    @Test
    @Rule("LSE-18")
    @DisplayName("loss: a failure that was followed by a successful renewal is forgotten")
    void earlierFailure() {
        Lease lease = guard.acquire("k", RENEWED.onLost(losses::add));
        simulator.failNext(Operation.EXTEND, LockException.Code.SERVICE_UNAVAILABLE);
        simulator.advance(Duration.ofMinutes(1));
        assertThat(lease.isValid()).isTrue();

        simulator.pauseHolder("k", Duration.ofMinutes(1));

        assertThat(onlyLoss()).hasNoCause().hasMessageContaining("paused for about");
    }

    @Test
    @Rule("LSE-18")
    @DisplayName("loss: a pause of the process is named, with how long it was")
    void paused() {
        guard.acquire("k", RENEWED.onLost(losses::add));

        simulator.pauseHolder("k", Duration.ofMinutes(1));

        assertThat(onlyLoss()).hasMessageContaining("this process was paused for about 50010 ms");
    }

    @Test
    @Rule("LSE-17")
    @DisplayName("m9: a machine that was suspended notices at its first look that the lease is over")
    void suspended() {
        Lease lease = guard.acquire("k", RENEWED.onLost(losses::add));
        Lease plain = guard.acquire("plain", LockOptions.defaults());

        simulator.suspendHolder("k", Duration.ofMinutes(5));
        SyncGuard other = simulator.newGuard();

        assertThat(other.tryAcquire("k")).isInstanceOf(Lease.class);
        assertThat(lease.isValid()).isFalse();
        assertThat(plain.isValid()).isFalse();
        assertThat(plain.remaining()).isZero();
        assertThat(onlyLoss()).hasMessageContaining("paused for about");
    }

    @Test
    @Rule("LSE-17")
    @DisplayName("m9: a suspension is noticed by an extension and by a release as well")
    void suspendedVerbs() {
        Lease extended = guard.acquire("extended", LockOptions.defaults());
        Lease released = guard.acquire("released", LockOptions.defaults());

        simulator.suspendHolder("extended", Duration.ofMinutes(5));

        assertThat(extended.extend(Duration.ofMinutes(1)).ok()).isFalse();
        assertThat(released.release()).isFalse();
        assertThat(extended.wasLost()).isTrue();
        assertThat(released.wasLost()).isTrue();
    }

    @Test
    @Rule("LSE-17")
    @DisplayName(
            "m9: a grant that waited for its machine to be resumed, beyond its deadline, is no lease and is taken back")
    void suspendedAcquire() {
        simulator.delayReply(Operation.ACQUIRE, Duration.ofSeconds(1));
        CompletableFuture<Lease> acquire = guard.async().acquire("k").toCompletableFuture();

        simulator.suspendHolder("k", Duration.ofMinutes(5));

        assertThat(acquire)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(LockException.class, failure -> {
                    assertThat(failure.code()).isEqualTo(LockException.Code.NETWORK_TIMEOUT);
                    assertThat(failure.outcomeUnknown()).isTrue();
                });
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @Rule("LSE-17")
    @DisplayName("m9: a short suspension costs its time and nothing else")
    void shortSuspension() {
        Lease lease = guard.acquire("k", RENEWED.onLost(losses::add));

        simulator.suspendHolder("k", Duration.ofSeconds(15));
        assertThat(lease.remaining()).isBetween(Duration.ofSeconds(14), Duration.ofSeconds(15));
        simulator.advance(Duration.ofMinutes(5));

        assertThat(lease.isValid()).isTrue();
        assertThat(losses).isEmpty();
    }

    @Test
    @Rule("LSE-18")
    @DisplayName("loss: a lock that another client has or the store lost says so, and blames no ttl")
    void gone() {
        Lease lease = guard.acquire("k", RENEWED.onLost(losses::add));
        simulator.loseLock("k");
        simulator.advance(Duration.ofSeconds(10));

        assertThat(onlyLoss().reason()).isEqualTo(Reason.GONE);
        assertThat(onlyLoss()).hasMessageContaining("may be held by another client");
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::ensureValid);
    }

    @Test
    @Rule("LSE-18")
    @DisplayName("loss: a store that says expired before the local deadline is named, and no ttl is blamed")
    void expiredEarly() {
        Lease renewed = guard.acquire("renewed", RENEWED.onLost(losses::add));
        Lease extended = guard.acquire("extended", RENEWED);
        Lease released = guard.acquire("released", LockOptions.defaults());
        List.of("renewed", "extended", "released").forEach(simulator::expire);

        assertThat(extended.extend(Duration.ofMinutes(1)).ok()).isFalse();
        assertThat(released.release()).isFalse();
        simulator.advance(Duration.ofSeconds(10));

        assertThat(renewed.isValid()).isFalse();
        assertThat(onlyLoss().reason()).isEqualTo(Reason.EXPIRED);
        assertThat(onlyLoss())
                .hasMessageContaining("earlier than this process expected")
                .hasMessageNotContaining("use a longer ttl");
        assertThat(log.messages())
                .filteredOn(line -> line.contains("earlier than this process expected"))
                .hasSize(3);
    }

    @Test
    @Rule("LSE-18")
    @DisplayName("loss: a lock that is gone after renewals failed says since when they did")
    void goneAfterFailures() {
        guard.acquire("k", RENEWED.onLost(losses::add));
        simulator.outage(Duration.ofSeconds(15));
        simulator.advance(Duration.ofSeconds(12));
        simulator.loseLock("k");
        simulator.advance(Duration.ofSeconds(6));

        assertThat(onlyLoss().reason()).isEqualTo(Reason.GONE);
        assertThat(onlyLoss())
                .hasMessageContaining("renewals had been failing for ")
                .hasCauseInstanceOf(LockException.class);
    }

    @Test
    @DisplayName("loss: the life of a lease is told in events with its key and lock id; a loss is no release")
    void events() {
        List<LeaseEvent> events = new CopyOnWriteArrayList<>();
        try (SyncGuard observed = SyncGuard.of(new ForwardingLockBackend(new MemoryLockBackend()) {
            @Override
            public Optional<LeaseObserver> leaseObserver() {
                return Optional.of(events::add);
            }
        })) {
            Lease lost = observed.acquire("lost", LockOptions.defaults().ttl(Duration.ofSeconds(1)));
            Awaitility.await().until(lost::wasLost);
            lost.close();
            Lease released = observed.acquire("released");
            released.close();

            assertThat(events)
                    .filteredOn(event -> lost.lockId().equals(event.lockId()))
                    .extracting(LeaseEvent::type)
                    .containsExactly(LeaseEvent.Type.GRANTED, LeaseEvent.Type.LOST);
            assertThat(events)
                    .filteredOn(event -> released.lockId().equals(event.lockId()))
                    .allMatch(event -> event.key().equals(LockKey.of("released")))
                    .extracting(LeaseEvent::type)
                    .containsExactly(LeaseEvent.Type.GRANTED, LeaseEvent.Type.RELEASED);
        }
    }
}
