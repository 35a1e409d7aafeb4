package dev.syncguard.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class ReactorSyncGuardTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(Duration.ofMinutes(1));

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final ReactorSyncGuard locks = ReactorSyncGuard.of(guard);
    private final MemoryLockBackend store = new MemoryLockBackend();
    private final SyncGuard real = SyncGuard.of(store);
    private final ReactorSyncGuard realLocks = ReactorSyncGuard.of(real);

    @AfterEach
    void nothingIsLeft() {
        await().until(() -> real.heldLeases() == 0 && real.waiters() == 0 && real.pendingReleases() == 0);
        real.close();
        assertThat(guard.heldLeases()).isZero();
    }

    @Test
    @DisplayName("nothing happens before the subscription; each locks anew; the result comes after the release")
    void mono() {
        Mono<Long> fence = locks.withLock("k", lease -> Mono.just(lease.fence().value()))
                .doOnNext(value -> assertThat(simulator.stored("k")).isEmpty());
        assertThat(simulator.fenceCounter("k")).isZero();

        StepVerifier.create(fence).expectNext(1L).verifyComplete();
        StepVerifier.create(fence).expectNext(2L).verifyComplete();
    }

    @Test
    @DisplayName("items are emitted while the lock is held, and it is released before the completion")
    void flux() {
        Flux<Integer> items = locks.withLockMany("k", lease -> Flux.range(1, 3))
                .doOnNext(item -> assertThat(simulator.stored("k")).isPresent())
                .doOnComplete(() -> assertThat(simulator.stored("k")).isEmpty());

        StepVerifier.create(items).expectNext(1, 2, 3).verifyComplete();
    }

    @Test
    @DisplayName("an empty body completes empty")
    void empty() {
        StepVerifier.create(locks.withLock("k", lease -> Mono.empty())).verifyComplete();
        StepVerifier.create(locks.withLockMany("k", lease -> Flux.empty())).verifyComplete();
    }

    @Test
    @DisplayName("an error of the body, or of what makes it, is signalled itself, after the release")
    void errors() {
        for (Throwable thrown : new Throwable[] {new IllegalStateException("mine"), new AssertionError("mine")}) {
            StepVerifier.create(locks.withLock("k", lease -> Mono.error(thrown)))
                    .verifyErrorSatisfies(error -> assertThat(error).isSameAs(thrown));
            StepVerifier.create(locks.withLockMany("k", lease -> Flux.error(thrown)))
                    .verifyErrorSatisfies(error -> assertThat(error).isSameAs(thrown));
            assertThat(simulator.stored("k")).isEmpty();
        }
        StepVerifier.create(locks.withLock("k", lease -> {
                    throw new IllegalStateException("made none");
                }))
                .verifyErrorMessage("made none");
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @DisplayName("an Error that Reactor does not catch releases all the same")
    void fatal() {
        AtomicBoolean ran = new AtomicBoolean();
        Disposable subscription = realLocks
                .withLock("k", lease -> {
                    ran.set(true);
                    throw new StackOverflowError("simulated");
                })
                .subscribe();

        await().untilTrue(ran);
        await().until(() -> !real.isLocked("k"));
        subscription.dispose();
    }

    @Test
    @DisplayName("contention, a failing store and a closed guard are errors")
    void notGranted() {
        simulator.newGuard().acquire("k", LockOptions.defaults().ttl(Duration.ofHours(1)));
        StepVerifier.create(locks.withLock("k", PATIENT.maxRetries(0), lease -> Mono.just(1)))
                .verifyError(AcquisitionTimeoutException.class);
        simulator.failNext(Operation.ACQUIRE, Code.SERVICE_UNAVAILABLE);
        StepVerifier.create(locks.withLock("free", lease -> Mono.just(1)))
                .verifyErrorMatches(error -> error instanceof LockException e && e.code() == Code.SERVICE_UNAVAILABLE);
        StepVerifier.create(locks.withLock("", lease -> Mono.just(1))).verifyError(LockException.class);
        SyncGuard closed = simulator.newGuard();
        closed.close();
        StepVerifier.create(ReactorSyncGuard.of(closed).withLock("free", lease -> Mono.just(1)))
                .verifyError(IllegalStateException.class);
    }

    @Test
    @DisplayName(
            "a lost lease is an error instead of the completion, with the result; suppressed in the body's own error")
    void lost() {
        StepVerifier.create(locks.withLock(
                        "k",
                        lease ->
                                Mono.fromRunnable(() -> simulator.loseLock("k")).thenReturn("done")))
                .verifyErrorSatisfies(error -> assertThat(error)
                        .isInstanceOfSatisfying(
                                LeaseLostException.class,
                                loss -> assertThat(loss.result()).contains("done")));
        StepVerifier.create(locks.withLockMany(
                        "k", lease -> Flux.just(1).doOnComplete(() -> simulator.advance(Duration.ofMinutes(1)))))
                .expectNext(1)
                .verifyError(LeaseLostException.class);
        StepVerifier.create(locks.withLock(
                        "k",
                        lease -> Mono.error(() -> {
                            simulator.advance(Duration.ofMinutes(1));
                            return new IllegalStateException("mine");
                        })))
                .verifyErrorSatisfies(error -> {
                    assertThat(error).hasMessage("mine");
                    assertThat(error.getSuppressed()).hasAtLeastOneElementOfType(LeaseLostException.class);
                });
    }

    @Test
    @DisplayName(
            "with interruptOnLoss a loss is signalled at once and cancels the body; one after its end is not dropped")
    void interruptOnLoss() {
        LockOptions options = LockOptions.defaults().interruptOnLoss();
        AtomicInteger cancelled = new AtomicInteger();
        StepVerifier.create(locks.withLock("k", options, lease -> Mono.never().doOnCancel(cancelled::incrementAndGet)))
                .then(() -> simulator.advance(Duration.ofMinutes(1)))
                .expectError(LeaseLostException.class)
                .verify(SOON);
        StepVerifier.create(
                        locks.withLockMany("k", options, lease -> Flux.never().doOnCancel(cancelled::incrementAndGet)))
                .then(() -> simulator.advance(Duration.ofMinutes(1)))
                .expectError(LeaseLostException.class)
                .verify(SOON);
        assertThat(cancelled).hasValue(2);
        StepVerifier.create(locks.withLock("k", options, lease -> Mono.just(1)))
                .expectNext(1)
                .expectComplete()
                .verifyThenAssertThat()
                .hasNotDroppedErrors()
                .hasNotDiscardedElements();
    }

    @Test
    @DisplayName("cancelling ends the wait, and the next one gets the lock")
    void cancelWait() {
        Lease held = real.acquire("k");
        Disposable waiter =
                realLocks.withLock("k", PATIENT, lease -> Mono.just(1)).subscribe();
        await().until(() -> real.waiters() == 1);

        waiter.dispose();

        await().until(() -> real.waiters() == 0);
        held.close();
        assertThat(real.isLocked("k")).isFalse();
    }

    @Test
    @DisplayName("cancelling a body cancels it and releases")
    void cancelBody() {
        AtomicReference<Lease> held = new AtomicReference<>();
        AtomicBoolean cancelled = new AtomicBoolean();
        Disposable holder = realLocks
                .withLock("k", lease -> {
                    held.set(lease);
                    return Mono.never().doOnCancel(() -> cancelled.set(true));
                })
                .subscribe();
        await().until(() -> held.get() != null);

        holder.dispose();

        await().until(() -> !real.isLocked("k"));
        assertThat(cancelled).isTrue();
    }

    @Test
    @DisplayName("take(1) of a Flux releases; so does a subscriber that throws")
    void takeOne() {
        Sinks.Many<Integer> source = Sinks.many().unicast().onBackpressureBuffer();
        source.tryEmitNext(1);
        StepVerifier.create(locks.withLockMany("k", lease -> source.asFlux()).take(1))
                .expectNext(1)
                .verifyComplete();
        assertThat(simulator.stored("k")).isEmpty();

        StepVerifier.create(locks.withLockMany("k", lease -> Flux.range(1, 3)).map(item -> 1 / (item - 1)))
                .verifyError(ArithmeticException.class);
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @DisplayName("cancelled at any moment, nothing stays locked and no two are inside")
    void cancelledAnytime() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Mono<Object> work = realLocks.withLock(
                "k",
                PATIENT,
                lease -> Mono.fromCallable(() -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    LockSupport.parkNanos(1_000);
                    return inside.decrementAndGet();
                }));
        Flux.fromStream(IntStream.range(0, 300).boxed())
                .flatMap(
                        i -> work.subscribeOn(Schedulers.parallel())
                                .timeout(Duration.ofNanos(i * 10_000L), Mono.empty()),
                        300)
                .blockLast(SOON);

        await().until(() -> !real.isLocked("k"));
        assertThat(most.get()).isLessThanOrEqualTo(1);
    }

    @Test
    @DisplayName("a grant for a subscription that was cancelled meanwhile is given back, its minimum waived")
    void grantedWhileCancelled() {
        LockOptions kept = LockOptions.defaults().holdAtLeast(Duration.ofHours(1));
        Map<String, AtomicBoolean> ran = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            AtomicBoolean mine = new AtomicBoolean();
            ran.put("k" + i, mine);
            realLocks
                    .withLock("k" + i, kept, lease -> {
                        mine.set(true);
                        return Mono.empty();
                    })
                    .subscribe()
                    .dispose();
        }
        real.shutdown(SOON); // waits for what is under way
        SyncGuard later = SyncGuard.of(store);
        ran.forEach((key, begun) -> {
            if (!begun.get()) {
                assertThat(later.isLocked(key)).as(key).isFalse();
            }
        });
    }

    @Test
    @DisplayName("a run with another Reactor really has it")
    void version() {
        assertThat(Mono.class.getProtectionDomain().getCodeSource().getLocation())
                .asString()
                .contains(System.getProperty("reactor.expected", ""));
    }

    @Test
    @DisplayName("the code of the README runs")
    void readme() {
        StepVerifier.create(receipt(guard)).expectNext("charged with 1").verifyComplete();
    }

    private Mono<String> receipt(SyncGuard guard) {
        ReactorSyncGuard locks = ReactorSyncGuard.of(guard);
        return locks.withLock("invoice:42", lease -> charge(lease.fence().value()));
    }

    private static Mono<String> charge(long fence) {
        return Mono.just("charged with " + fence);
    }
}
