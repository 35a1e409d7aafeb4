package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RenewalTest {

    private static final LockOptions RENEWED =
            LockOptions.defaults().ttl(Duration.ofSeconds(30)).autoExtend();

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final List<LeaseLostException> losses = new CopyOnWriteArrayList<>();
    private final LogCapture log = LogCapture.start();

    @AfterEach
    void end() {
        log.close();
        guard.close();
    }

    @Test
    @Rule("LSE-12")
    @DisplayName("a lease is renewed each time a third of what is left has passed")
    void everyThird() {
        Lease lease = guard.acquire("k", RENEWED);
        long granted = lease.expiresAtMs();

        simulator.advance(Duration.ofMillis(9_989));
        assertThat(lease.expiresAtMs()).isEqualTo(granted);
        simulator.advance(Duration.ofMillis(1));
        assertThat(lease.expiresAtMs()).isEqualTo(granted + 9_990);

        simulator.advance(Duration.ofHours(2));
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(19));
    }

    @Test
    @Rule("LSE-12")
    @DisplayName("renewal ends with the release")
    void untilReleased() {
        Lease lease = guard.acquire("k", RENEWED);
        lease.close();
        Lease next = guard.acquire("k", LockOptions.defaults().ttl(Duration.ofSeconds(5)));

        simulator.advance(Duration.ofMinutes(1));

        assertThat(next.wasLost()).isTrue();
        assertThat(lease.wasLost()).isFalse();
    }

    @Test
    @Rule("LSE-12")
    @DisplayName("a longer extension by hand is kept by the renewals")
    void byHand() {
        Lease lease = guard.acquire("k", RENEWED);
        assertThat(lease.extend(Duration.ofMinutes(5)).ok()).isTrue();

        simulator.advance(Duration.ofMinutes(10));

        assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(3));
    }

    @Test
    @Rule("LSE-13")
    @DisplayName("failed renewals are tried again while the lease lasts")
    void triedAgain() {
        Lease lease = guard.acquire("k", RENEWED.onLost(losses::add));
        for (int i = 0; i < 10; i++) {
            simulator.failNext(Operation.EXTEND, i % 2 == 0 ? Code.SERVICE_UNAVAILABLE : Code.INTERNAL);
        }
        simulator.dropReply(Operation.EXTEND);

        simulator.advance(Duration.ofMinutes(5));

        assertThat(lease.isValid()).isTrue();
        assertThat(losses).isEmpty();
        assertThat(log.messages()).as("one warning for the whole outage").hasSize(1);
    }

    @Test
    @Rule("LSE-13")
    @DisplayName("an outage longer than the lease is a loss at the deadline, not before")
    void longOutage() {
        Lease lease = guard.acquire("k", RENEWED.onLost(losses::add));
        for (int i = 0; i < 1000; i++) {
            simulator.failNext(Operation.EXTEND, Code.SERVICE_UNAVAILABLE);
        }

        simulator.advance(Duration.ofMillis(29_969));
        assertThat(lease.isValid()).isTrue();
        simulator.advance(Duration.ofMillis(1));

        await().until(() -> losses.size() == 1);
        assertThat(lease.wasLost()).isTrue();
    }

    @Test
    @Rule("LSE-13")
    @DisplayName("a store that never answers cannot hide the loss")
    void silentStore() {
        Lease lease = guard.acquire("k", RENEWED.onLost(losses::add));
        for (int i = 0; i < 100; i++) {
            simulator.delayReply(Operation.EXTEND, Duration.ofHours(1));
        }

        simulator.advance(Duration.ofSeconds(30));

        await().until(() -> losses.size() == 1);
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    @Rule("LSE-13")
    @DisplayName("a renewal that the store refuses is a loss at once")
    void refused() {
        Lease lease = guard.acquire("k", RENEWED.onLost(losses::add));
        simulator.loseLock("k");

        simulator.advance(Duration.ofSeconds(10));

        await().until(() -> losses.size() == 1);
        assertThat(losses.get(0).reason()).isEqualTo(LeaseLostException.Reason.GONE);
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    @Rule("LSE-8")
    @DisplayName("extensions by hand of one lease never overlap")
    void oneAtATime() {
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        LockBackend counting = new BlockingBackend(new dev.syncguard.memory.MemoryLockBackend()) {
            @Override
            public Duration commandTimeout() {
                return Duration.ofSeconds(10); // so long each may wait for its turn, also on a loaded machine
            }

            @Override
            public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
                if (request.mode() == ExtendRequest.Mode.AT_LEAST) {
                    return super.extend(request, signal); // a renewal, which never shortens
                }
                most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                try {
                    LockSupport.parkNanos(50_000); // long enough for others to meet it
                    return super.extend(request, signal);
                } finally {
                    underWay.decrementAndGet();
                }
            }
        };
        try (SyncGuard real = SyncGuard.of(counting);
                Lease lease = real.acquire(
                        "k", LockOptions.defaults().ttl(Duration.ofSeconds(1)).autoExtend())) {
            Duration longer = Duration.ofSeconds(5);
            List<CompletableFuture<ExtendResult>> calls = new CopyOnWriteArrayList<>();
            for (int i = 0; i < 100; i++) {
                calls.add(Blocked.start(() -> lease.extend(longer)));
                calls.add(real.async().extend(lease.lockId(), longer).toCompletableFuture());
            }

            assertThat(calls)
                    .allSatisfy(call -> assertThat(call)
                            .succeedsWithin(Duration.ofSeconds(30))
                            .matches(ExtendResult::ok));
        }
        assertThat(most).hasValue(1);
    }

    @Test
    @DisplayName("a renewal that arrives after the release is no loss")
    void renewalAfterRelease() {
        CountDownLatch extending = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        LockBackend late = new BlockingBackend(new dev.syncguard.memory.MemoryLockBackend()) {
            @Override
            public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
                extending.countDown();
                CompensationTest.awaitUninterruptibly(released);
                return super.extend(request, signal);
            }
        };
        try (SyncGuard real = SyncGuard.of(late)) {
            LockOptions options = LockOptions.defaults()
                    .ttl(Duration.ofSeconds(1))
                    .autoExtend()
                    .onLost(losses::add);
            Lease lease = real.acquire("k", options);
            CompensationTest.awaitUninterruptibly(extending);

            assertThat(lease.release()).isTrue();
            released.countDown();
            assertThat(lease.extend(Duration.ofSeconds(1)).ok())
                    .as("queued behind the renewal")
                    .isFalse();

            assertThat(lease.wasLost()).isFalse();
            assertThat(losses).isEmpty();
        }
    }
}
