package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DisposalTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final LogCapture log = LogCapture.start();

    @AfterEach
    void end() {
        log.close();
        guard.close();
    }

    @Test
    @Rule("DSP-1")
    @DisplayName("close never throws, and closing again sends nothing")
    void quiet() {
        Lease lease = guard.acquire("k");
        simulator.failNext(Operation.RELEASE, Code.AUTH_FAILED);
        simulator.failNext(Operation.RELEASE, Code.AUTH_FAILED); // of the repetition in the background

        lease.close();
        lease.close();

        assertThat(simulator.stored("k")).as("no third request").isPresent();
        simulator.advance(Duration.ofSeconds(1));
        assertThat(simulator.stored("k")).as("released in the background").isEmpty();
    }

    @Test
    @Rule("DSP-2")
    @DisplayName("a failed release goes to the handler of the call, else of the guard, else to the log")
    void reported() {
        List<LockException> ofGuard = new CopyOnWriteArrayList<>();
        List<LockException> ofCall = new CopyOnWriteArrayList<>();
        SyncGuard handled = simulator.newGuard(builder -> builder.onReleaseError(ofGuard::add));

        failToRelease(handled.acquire("a", handled.options().onReleaseError(ofCall::add)));
        await().until(() -> ofCall.size() == 1);
        failToRelease(handled.acquire("b"));
        await().until(() -> ofGuard.size() == 1);
        assertThat(log.messages()).isEmpty();
        failToRelease(guard.acquire("secret-key"));

        assertThat(ofGuard.get(0).key()).contains("b");
        assertThat(log.messages())
                .singleElement()
                .asString()
                .contains("AuthFailed")
                .contains(KeyHash.canonical().hash("secret-key"))
                .doesNotContain("secret-key");
        handled.close();
    }

    private void failToRelease(Lease lease) {
        simulator.failNext(Operation.RELEASE, Code.AUTH_FAILED);
        lease.close();
    }

    @Test
    @Rule("DSP-3")
    @DisplayName("close does not wait longer than the dispose timeout, interrupted or not")
    void disposeTimeout() {
        CountDownLatch mayRelease = new CountDownLatch(1);
        List<LockException> failures = new CopyOnWriteArrayList<>();
        SyncGuard slow = SyncGuard.builder(slowRelease(mayRelease))
                .disposeTimeout(Duration.ofMillis(50))
                .onReleaseError(failures::add)
                .build();
        Lease lease = slow.acquire("k");
        Lease other = slow.acquire("l");

        lease.close();
        await().until(() -> failures.size() == 1);
        Thread.currentThread().interrupt();
        other.close();
        assertThat(Thread.interrupted()).isTrue();
        await().until(() -> failures.size() == 2);

        assertThat(failures).allSatisfy(e -> {
            assertThat(e.code()).isEqualTo(Code.NETWORK_TIMEOUT);
            assertThat(e.outcomeUnknown()).isTrue();
        });
        mayRelease.countDown();
        await().until(() -> !slow.isLocked("k") && !slow.isLocked("l"));
        slow.close();
    }

    @Test
    @Rule("DSP-4")
    @DisplayName("close waits for a release in flight and does not send a second one")
    void inFlight() {
        CountDownLatch mayRelease = new CountDownLatch(1);
        SyncGuard slow = SyncGuard.of(slowRelease(mayRelease));
        Lease lease = slow.acquire("k");
        CompletableFuture<Boolean> releasing = Blocked.start(lease::release);
        await().until(() -> !lease.isValid());
        CompletableFuture<Boolean> closing = Blocked.start(() -> {
            lease.close();
            return true;
        });
        CompletableFuture<Boolean> closingAgain = Blocked.start(() -> {
            lease.close();
            return true;
        });
        assertThat(closing).isNotDone();
        assertThat(closingAgain).isNotDone();

        mayRelease.countDown();

        assertThat(releasing).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);
        assertThat(closing).succeedsWithin(Duration.ofSeconds(20));
        assertThat(closingAgain).succeedsWithin(Duration.ofSeconds(20));
        assertThat(lease.wasLost()).isFalse();
        slow.close();
    }

    private final AtomicInteger releases = new AtomicInteger();

    private LockBackend slowRelease(CountDownLatch mayRelease) {
        return new BlockingBackend(new MemoryLockBackend()) {
            @Override
            public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
                releases.incrementAndGet();
                CompensationTest.awaitUninterruptibly(mayRelease);
                return super.release(request, signal);
            }
        };
    }

    @Test
    @Rule("DSP-5")
    @DisplayName("an ambiguous release is tried once more; finding nothing then is no loss")
    void ambiguous() {
        Lease lease = guard.acquire("k");
        simulator.dropReply(Operation.RELEASE);

        lease.close();

        assertThat(lease.wasLost()).isFalse();
        assertThat(simulator.stored("k")).isEmpty();
        assertThat(log.messages()).isEmpty();

        Lease byHand = guard.acquire("k");
        simulator.dropReply(Operation.RELEASE);
        assertThatThrownBy(byHand::release).isInstanceOf(LockException.class);
        byHand.close();
        assertThat(byHand.wasLost()).isFalse();
        assertThat(log.messages()).isEmpty();
    }

    @Test
    @Rule("DSP-5")
    @DisplayName("run returns normally after an ambiguous release that had worked")
    void ambiguousRun() {
        simulator.dropReply(Operation.RELEASE);

        assertThat(guard.<String, RuntimeException>call("k", lease -> "done")).isEqualTo("done");
    }

    @Test
    @Rule("DSP-6")
    @DisplayName("closing a released or lost lease reports no error")
    void absent() {
        List<LockException> errors = new CopyOnWriteArrayList<>();
        SyncGuard handled = simulator.newGuard(builder -> builder.onReleaseError(errors::add));
        Lease released = handled.acquire("a");
        released.release();
        Lease lost = handled.acquire("b");
        simulator.loseLock("b");

        released.close();
        lost.close();
        handled.close();

        assertThat(errors).isEmpty();
    }

    @Test
    @Rule("DSP-7")
    @DisplayName("a closed guard says so, to those who wait as well")
    void closedGuard() {
        SyncGuard real = SyncGuard.of(new MemoryLockBackend());
        Lease held = real.acquire("k");
        LockOptions patient = LockOptions.defaults().waitAtMost(Duration.ofMinutes(5));
        List<CompletableFuture<?>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiters.add(Blocked.start(() -> real.acquire("k", patient)));
            waiters.add(real.async().acquire("k", patient).toCompletableFuture());
        }
        await().until(() -> waiters.stream().noneMatch(CompletableFuture::isDone));

        real.close();

        for (CompletableFuture<?> waiter : waiters) {
            assertThat(waiter)
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withCauseInstanceOf(IllegalStateException.class)
                    .withMessageContaining("closed");
        }
        assertThatThrownBy(() -> real.acquire("k")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> real.tryAcquire("k")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> real.isLocked("k")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> real.lookup("k")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> real.release(held.lockId())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> real.extend(held.lockId(), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalStateException.class);
        held.close();
    }

    @Test
    @Rule("DSP-8")
    @DisplayName("closing a guard ends its threads and closes the backend once")
    void threads() {
        AtomicInteger closed = new AtomicInteger();
        Set<Thread> callers = ConcurrentHashMap.newKeySet();
        LockBackend backend = new BlockingBackend(new MemoryLockBackend()) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                callers.add(Thread.currentThread());
                return super.acquire(request, signal);
            }

            @Override
            public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
                callers.add(Thread.currentThread());
                return super.extend(request, signal);
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
        SyncGuard busy = SyncGuard.of(backend);
        Lease renewed = busy.acquire(
                "k", LockOptions.defaults().ttl(Duration.ofSeconds(1)).autoExtend());
        callers.clear();
        busy.async().acquire("l").toCompletableFuture().join();
        await().until(() -> callers.size() == 2 && !platformThreads().isEmpty());
        assertThat(renewed.isValid()).isTrue();

        busy.close();
        busy.close();

        assertThat(closed).hasValue(1);
        await().until(() -> platformThreads().isEmpty() && callers.stream().noneMatch(Thread::isAlive));
    }

    private static List<Thread> platformThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("syncguard-"))
                .toList();
    }

    @Test
    @Rule("DSP-9")
    @DisplayName("a handler that throws or blocks disturbs neither releases nor renewals")
    void badHandlers() {
        CountDownLatch never = new CountDownLatch(1);
        SyncGuard real = SyncGuard.of(new MemoryLockBackend());
        LockOptions renewed = LockOptions.defaults().ttl(Duration.ofSeconds(1)).autoExtend();
        Lease kept = real.acquire("kept", renewed);
        for (int i = 0; i < 8; i++) {
            int number = i;
            real.acquire(
                    "lost" + i,
                    LockOptions.defaults().ttl(Duration.ofMillis(500)).onLost(loss -> {
                        if (number % 2 == 0) {
                            throw new IllegalStateException("handler");
                        }
                        CompensationTest.awaitUninterruptibly(never);
                    }));
        }

        Lease again = real.acquire("again", renewed);
        long start = kept.expiresAtMs();
        await().until(() -> kept.expiresAtMs() > start + 300);

        assertThat(kept.isValid()).isTrue();
        assertThat(again.release()).isTrue();
        never.countDown();
        real.close();
    }

    @Test
    @Rule("DSP-1")
    @DisplayName("close does not hang after an error in a release")
    void errorInRelease() {
        AtomicInteger calls = new AtomicInteger();
        LockBackend failing = new BlockingBackend(new MemoryLockBackend()) {
            @Override
            public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
                if (calls.incrementAndGet() == 1) {
                    throw new AssertionError("out of something");
                }
                return super.release(request, signal);
            }
        };
        SyncGuard real = SyncGuard.of(failing);
        Lease lease = real.acquire("k");

        assertThatThrownBy(lease::release).isInstanceOf(AssertionError.class);
        assertThat(Blocked.start(() -> {
                    lease.close();
                    return true;
                }))
                .succeedsWithin(Duration.ofSeconds(20));
        await().until(() -> !real.isLocked("k"));
        real.close();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("DSP-1")
    @DisplayName("C3: close never throws although every release of the backend does, and the body's outcome wins")
    void errorInEveryRelease(Driver driver) {
        AtomicBoolean broken = new AtomicBoolean(true);
        MemoryLockBackend store = new MemoryLockBackend();
        List<LockException> errors = new CopyOnWriteArrayList<>();
        SyncGuard real = SyncGuard.builder(new BlockingBackend(store) {
                    @Override
                    public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
                        if (broken.get()) {
                            throw new NoClassDefFoundError("every time");
                        }
                        return super.release(request, signal);
                    }
                })
                .onReleaseError(errors::add)
                .build();
        IllegalStateException ofBody = new IllegalStateException("the body's");

        assertThat(driver.close(real.acquire("closed"))).succeedsWithin(SOON);
        assertThat(driver.call(real, "done", real.options(), AbortSignal.none(), lease -> "done"))
                .succeedsWithin(SOON)
                .isEqualTo("done");
        assertThat(driver.call(real, "failed", real.options(), AbortSignal.none(), lease -> {
                    throw ofBody;
                }))
                .failsWithin(SOON)
                .withThrowableThat()
                .havingCause()
                .isSameAs(ofBody);

        await().until(() -> errors.size() == 3);
        broken.set(false);
        for (String key : List.of("closed", "done", "failed")) {
            await(key).until(() -> !store.isLocked(LockKey.of(key), AbortSignal.none()));
        }
        real.close();
    }

    @Test
    @Rule("DSP-3")
    @DisplayName("a dispose timeout that no clock can count is refused")
    void hugeDisposeTimeout() {
        assertThatThrownBy(() ->
                        SyncGuard.builder(new MemoryLockBackend()).disposeTimeout(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(LockException.class);
    }

    @Test
    @Rule("DSP-7")
    @DisplayName("a grant that arrives after the guard was closed is not handed out")
    void grantAfterClose() {
        SyncGuard closing = simulator.newGuard();
        simulator.delayReply(Operation.ACQUIRE, Duration.ofSeconds(1));
        CompletableFuture<Lease> late = closing.async().acquire("k").toCompletableFuture();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch mayAnswer = new CountDownLatch(1);
        SyncGuard blocking = SyncGuard.of(new BlockingBackend(new MemoryLockBackend()) {
            @Override
            public dev.syncguard.spi.AcquireOutcome acquire(
                    dev.syncguard.spi.AcquireRequest request, AbortSignal signal) {
                asked.countDown();
                CompensationTest.awaitUninterruptibly(mayAnswer);
                return super.acquire(request, signal);
            }
        });
        CompletableFuture<Lease> blocked = Blocked.start(() -> blocking.acquire("k"));
        CompensationTest.awaitUninterruptibly(asked);

        blocking.close();
        mayAnswer.countDown();

        assertThat(blocked)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .withCauseInstanceOf(IllegalStateException.class);
        assertThat(late).isNotCompletedExceptionally();
        closing.close();
    }
}
