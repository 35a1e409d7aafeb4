package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LateAnswersTest {

    private static final LockOptions STUBBORN =
            LockOptions.defaults().waitAtMost(Duration.ofSeconds(30)).retryStoreErrors();

    private final MemoryLockBackend store = new MemoryLockBackend();

    @Test
    @DisplayName("a reply that comes after its request was repeated does not release the lease of the repetition")
    void lateReplyOfRepeatedAcquire() {
        CompletableFuture<AcquireOutcome> first = new CompletableFuture<>();
        AtomicReference<AcquireOutcome> executed = new AtomicReference<>();
        AtomicInteger requests = new AtomicInteger();
        Silent backend = new Silent(store) {
            @Override
            CompletionStage<AcquireOutcome> answer(AcquireRequest request, AbortSignal signal) {
                AcquireOutcome outcome = store.acquire(request, signal);
                if (requests.incrementAndGet() > 1) {
                    return CompletableFuture.completedStage(outcome);
                }
                executed.set(outcome);
                return first;
            }
        };
        try (SyncGuard guard = SyncGuard.of(backend)) {
            Lease lease =
                    guard.async().acquire("k", STUBBORN).toCompletableFuture().join();

            first.complete(executed.get());

            assertThat(guard.pendingReleases()).isZero();
            assertThat(store.isLocked(LockKey.of("k"), AbortSignal.none())).isTrue();
            assertThat(lease.release()).isTrue();
        }
    }

    @Test
    @DisplayName("stages that a silent backend never answers complete when the guard is closed")
    void openStagesAtClose() {
        List<CompletableFuture<?>> stages = new ArrayList<>();
        try (SyncGuard guard = SyncGuard.of(new Silent(store))) {
            stages.add(guard.async().acquire("k").toCompletableFuture());
            stages.add(guard.async().tryAcquire("l").toCompletableFuture());
            stages.add(guard.async().isLocked("m").toCompletableFuture());
        }

        assertThat(stages).allSatisfy(stage -> assertThat(stage).failsWithin(Duration.ofSeconds(20)));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-2")
    @DisplayName("an acquire that executes long after it failed is still found and released")
    void acquireExecutedLate(Driver driver) {
        AtomicReference<AcquireRequest> stuck = new AtomicReference<>();
        BlockingBackend backend = new BlockingBackend(store) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                stuck.set(request);
                throw new LockException(Code.NETWORK_TIMEOUT, "frozen", null, true);
            }
        };
        try (SyncGuard guard = SyncGuard.of(backend)) {
            assertThat(driver.acquire(guard, "k", guard.options())).failsWithin(Duration.ofSeconds(20));
            await().until(() -> guard.pendingReleases() == 0); // found nothing, twice

            store.acquire(stuck.get(), AbortSignal.none());

            await().until(() -> !store.isLocked(LockKey.of("k"), AbortSignal.none()));
        }
    }

    @Test
    @Rule("WAI-14")
    @DisplayName("M5: the limit of a wait holds while a blocking store does not answer; what it grants late goes back")
    void limitHoldsWhileTheStoreHangs() {
        CountDownLatch frozen = new CountDownLatch(1);
        AtomicReference<AcquireOutcome> late = new AtomicReference<>();
        BlockingBackend backend = new BlockingBackend(store) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                CompensationTest.awaitUninterruptibly(frozen);
                late.set(super.acquire(request, signal));
                return late.get();
            }

            @Override
            public Duration commandTimeout() {
                return Duration.ofSeconds(3);
            }
        };
        LockOptions options = LockOptions.defaults().waitAtMost(Duration.ofSeconds(2));
        try (SyncGuard guard = SyncGuard.of(backend)) {
            CompletableFuture<Lease> waiter =
                    guard.async().acquire("k", options).toCompletableFuture();
            assertThat(waiter)
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withCauseInstanceOf(AcquisitionTimeoutException.class);

            frozen.countDown();

            await().until(() -> late.get() instanceof Granted);
            await().until(() -> !store.isLocked(LockKey.of("k"), AbortSignal.none()));
        } finally {
            frozen.countDown();
        }
    }

    @Test
    @DisplayName("a backend that answers nothing at all gives an exception with an unknown outcome, in both views")
    @SuppressWarnings("NullAway") // what a broken backend does
    void nullAnswers() {
        BlockingBackend backend = new BlockingBackend(store) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                store.acquire(request, signal);
                return null;
            }
        };
        try (SyncGuard guard = SyncGuard.of(backend)) {
            assertThatThrownBy(() -> guard.acquire("k"))
                    .isInstanceOfSatisfying(
                            LockException.class,
                            e -> assertThat(e.outcomeUnknown()).isTrue());
            assertThat(guard.async().acquire("l").toCompletableFuture()).failsWithin(Duration.ofSeconds(20));
            await().until(() -> !store.isLocked(LockKey.of("k"), AbortSignal.none())
                    && !store.isLocked(LockKey.of("l"), AbortSignal.none()));
        }
    }

    @Test
    @DisplayName("an executor that throws after it took a task does not run it twice: the lease stays its holder's")
    void taskTakenTwice() {
        List<Runnable> taken = new ArrayList<>();
        try (SyncGuard guard = SyncGuard.builder(store)
                .executor(task -> {
                    taken.add(task);
                    throw new OutOfMemoryError("unable to create native thread");
                })
                .build()) {
            Lease lease = guard.async().acquire("k").toCompletableFuture().join();

            taken.forEach(Runnable::run);

            assertThat(lease.isValid()).isTrue();
            assertThat(lease.release()).isTrue();
        }
    }

    /** Answers no request of the asynchronous view, unless it is overridden. */
    private static class Silent extends ForwardingLockBackend {

        Silent(MemoryLockBackend target) {
            super(target);
        }

        @SuppressWarnings("UnusedVariable") // for those that override it
        CompletionStage<AcquireOutcome> answer(AcquireRequest request, AbortSignal signal) {
            return new CompletableFuture<>();
        }

        @Override
        public Optional<AsyncLockBackend> async() {
            AsyncLockBackend real = target().async().orElseThrow();
            return Optional.of(new AsyncLockBackend() {
                @Override
                public CompletionStage<AcquireOutcome> acquire(AcquireRequest request, AbortSignal signal) {
                    return answer(request, signal);
                }

                @Override
                public CompletionStage<ReleaseOutcome> release(ReleaseRequest request, AbortSignal signal) {
                    return real.release(request, signal);
                }

                @Override
                public CompletionStage<ExtendOutcome> extend(ExtendRequest request, AbortSignal signal) {
                    return real.extend(request, signal);
                }

                @Override
                public CompletionStage<Boolean> isLocked(LockKey key, AbortSignal signal) {
                    return new CompletableFuture<>();
                }

                @Override
                public CompletionStage<Optional<StoredLock>> findByKey(LockKey key, AbortSignal signal) {
                    return real.findByKey(key, signal);
                }

                @Override
                public CompletionStage<Optional<StoredLock>> findById(LockId lockId, AbortSignal signal) {
                    return real.findById(lockId, signal);
                }
            });
        }
    }
}
