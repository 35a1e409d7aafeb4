package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class AsyncViewTest {

    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(Duration.ofMinutes(1));

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final AsyncSyncGuard async = guard.async();

    @Test
    @Rule("ASY-1")
    @DisplayName("every verb does what its blocking twin does")
    void verbs() {
        Lease lease = done(async.acquire("k"));

        assertThat(done(async.tryAcquire("k"))).isInstanceOf(Contended.class);
        assertThat(done(async.isLocked("k"))).isTrue();
        assertThat(done(async.lookup("k"))).isEqualTo(guard.lookup("k"));
        assertThat(done(async.lookup(lease.lockId()))).isEqualTo(guard.lookup("k"));
        assertThat(done(async.lookupRaw("k"))).isEqualTo(guard.lookupRaw("k"));
        assertThat(done(async.lookupRaw(lease.lockId()))).isEqualTo(guard.lookupRaw("k"));
        assertThat(done(async.owns(lease.lockId()))).isTrue();
        assertThat(done(async.extend(lease.lockId(), Duration.ofMinutes(1))).ok())
                .isTrue();
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(59));
        assertThat(done(async.release(lease.lockId()))).isTrue();
        assertThat(done(async.release(lease.lockId()))).isFalse();
        assertThat(done(async.isLocked("k"))).isFalse();
        assertThat(done(async.owns(lease.lockId()))).isFalse();
        assertThat(done(async.tryAcquire("k"))).isInstanceOf(Lease.class);
    }

    @Test
    @Rule("ASY-1")
    @DisplayName("a wait ends with the same timeout as the blocking one")
    void timeout() {
        guard.acquire("k");
        CompletableFuture<Lease> waiting = async.acquire("k").toCompletableFuture();
        CompletableFuture<Lease> once =
                async.acquire("k", LockOptions.defaults().maxRetries(0)).toCompletableFuture();

        simulator.advance(Duration.ofSeconds(6));

        assertFails(once, AcquisitionTimeoutException.class);
        assertFails(waiting, AcquisitionTimeoutException.class);
    }

    @Test
    @Rule("ASY-1")
    @DisplayName("a failure of the store is compensated as in the blocking form")
    void ambiguous() {
        simulator.dropReply(Operation.ACQUIRE);
        assertFails(async.acquire("k").toCompletableFuture(), LockException.class);
        assertThat(simulator.fenceCounter("k")).isEqualTo(1);
        assertThat(simulator.stored("k")).isEmpty();

        simulator.dropReply(Operation.ACQUIRE);
        assertFails(async.tryAcquire("k").toCompletableFuture(), LockException.class);
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @Rule("ASY-2")
    @DisplayName("thousands wait without a thread each")
    void noThreads() {
        try (SyncGuard real = SyncGuard.of(new MemoryLockBackend())) {
            Lease held = real.acquire("k");
            List<CompletableFuture<Lease>> waiting = Stream.generate(
                            () -> real.async().acquire("k", PATIENT).toCompletableFuture())
                    .limit(3000)
                    .toList();

            long threads = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("syncguard-"))
                    .count();
            assertThat(threads).isLessThan(30);

            CompletableFuture<?>[] released = waiting.stream()
                    .map(stage -> stage.thenCompose(lease -> real.async().release(lease.lockId())))
                    .toArray(CompletableFuture<?>[]::new);
            held.release();
            assertThat(CompletableFuture.allOf(released)).succeedsWithin(Duration.ofMinutes(1));
        }
    }

    @Test
    @Rule("ASY-3")
    @DisplayName("what is wrong with the arguments, the body or the guard is in the stage")
    void failures() {
        assertFails(async.acquire("").toCompletableFuture(), LockException.class);
        assertFails(
                async.call("", lease -> CompletableFuture.completedStage(1)).toCompletableFuture(),
                LockException.class);
        assertFails(async.lookup("").toCompletableFuture(), LockException.class);
        IllegalArgumentException thrown = new IllegalArgumentException("body");
        CompletableFuture<Integer> call = async.<Integer>call("k", lease -> {
                    throw thrown;
                })
                .toCompletableFuture();
        assertThatCode(call::join).hasCause(thrown);
        assertThat(simulator.stored("k")).isEmpty();

        guard.close();
        assertFails(async.acquire("k").toCompletableFuture(), IllegalStateException.class);
        assertFails(async.tryAcquire("k").toCompletableFuture(), IllegalStateException.class);
    }

    @RepeatedTest(20)
    @Rule("ASY-4")
    @DisplayName("cancelling the stage or firing the signal ends the wait, and the next one takes over")
    void cancelled() {
        try (SyncGuard real = SyncGuard.of(new MemoryLockBackend())) {
            Lease held = real.acquire("k");
            AbortSignal signal = AbortSignal.create();
            CompletableFuture<Lease> first = real.async().acquire("k", PATIENT).toCompletableFuture();
            CompletableFuture<Lease> second =
                    real.async().acquire("k", PATIENT, signal).toCompletableFuture();
            CompletableFuture<Integer> third = real.async()
                    .call("k", PATIENT, lease -> CompletableFuture.completedStage(3))
                    .toCompletableFuture();
            CompletableFuture<Lease> last = real.async().acquire("k", PATIENT).toCompletableFuture();

            first.cancel(true);
            third.cancel(true);
            signal.abort();
            assertFails(second, LockException.class);
            held.release();

            assertThat(last).succeedsWithin(Duration.ofSeconds(20));
        }
    }

    @Test
    @Rule("ASY-5")
    @DisplayName("a lease that arrives after its stage was cancelled is released")
    void undeliverable() {
        simulator.delayReply(Operation.ACQUIRE, Duration.ofSeconds(1));
        CompletableFuture<Lease> acquire = async.acquire("a").toCompletableFuture();
        simulator.delayReply(Operation.ACQUIRE, Duration.ofSeconds(1));
        CompletableFuture<AcquireResult> tried = async.tryAcquire("b").toCompletableFuture();
        simulator.delayReply(Operation.ACQUIRE, Duration.ofSeconds(1));
        CompletableFuture<Integer> call =
                async.call("c", lease -> CompletableFuture.completedStage(1)).toCompletableFuture();
        AbortSignal signal = AbortSignal.create();
        simulator.delayReply(Operation.ACQUIRE, Duration.ofSeconds(1));
        CompletableFuture<AcquireResult> aborted =
                async.tryAcquire("d", guard.options(), signal).toCompletableFuture();
        Stream.of(acquire, tried, call).forEach(stage -> stage.cancel(true));
        signal.abort();
        assertThat(simulator.stored("a")).isPresent();

        simulator.advance(Duration.ofSeconds(2));

        assertFails(aborted, LockException.class);
        await().until(() -> Stream.of("a", "b", "c", "d")
                .allMatch(key -> simulator.stored(key).isEmpty()));
    }

    @Test
    @Rule("ASY-6")
    @DisplayName("the stage of call completes after the release")
    void afterRelease() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> call = async.call("k", lease -> work).toCompletableFuture();
        simulator.delayReply(Operation.RELEASE, Duration.ofSeconds(1));

        work.complete("done");
        assertThat(call).isNotDone();
        simulator.advance(Duration.ofSeconds(1));

        assertThat(call).isCompletedWithValue("done");
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @Rule("ASY-6")
    @DisplayName("the stage of call fails with the loss, which carries the result")
    void lost() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> call = async.call("k", lease -> work).toCompletableFuture();
        CompletableFuture<Void> run = async.run("l", lease -> work).toCompletableFuture();

        simulator.advance(Duration.ofMinutes(1));
        work.complete("late");

        assertThatCode(call::join)
                .cause()
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        loss -> assertThat(loss.result()).contains("late"));
        assertFails(run, LeaseLostException.class);
    }

    @Test
    @Rule("ASY-7")
    @DisplayName("releases and renewals get through while acquires block every thread they may have")
    void blockingBackend() {
        CountDownLatch mayAcquire = new CountDownLatch(1);
        AtomicInteger blocked = new AtomicInteger();
        LockBackend stuck = new BlockingBackend(new MemoryLockBackend()) {
            @Override
            public Duration commandTimeout() {
                return Duration.ofMinutes(1); // it answers in time, but slowly
            }

            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                if (request.key().value().startsWith("stuck")) {
                    blocked.incrementAndGet();
                    CompensationTest.awaitUninterruptibly(mayAcquire);
                }
                return super.acquire(request, signal);
            }
        };
        try (SyncGuard real = SyncGuard.builder(stuck).threads(3).build()) {
            Lease renewed = real.acquire(
                    "r", LockOptions.defaults().ttl(Duration.ofSeconds(1)).autoExtend());
            Lease released = real.acquire("s");
            List<CompletableFuture<Lease>> waiting = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                waiting.add(real.async().acquire("stuck" + i, PATIENT).toCompletableFuture());
            }
            await().until(() -> blocked.get() == 3);

            assertThat(real.async().release(released.lockId()).toCompletableFuture())
                    .succeedsWithin(Duration.ofSeconds(20))
                    .isEqualTo(true);
            long start = renewed.expiresAtMs();
            await().until(() -> renewed.expiresAtMs() > start + 200);
            assertThat(renewed.isValid()).isTrue();
            assertThat(blocked).as("threads are bounded").hasValue(3);

            mayAcquire.countDown();
            assertThat(CompletableFuture.allOf(waiting.toArray(CompletableFuture<?>[]::new)))
                    .succeedsWithin(Duration.ofSeconds(30));
        }
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static void assertFails(CompletableFuture<?> stage, Class<? extends Throwable> type) {
        assertThat(stage)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(type)
                .satisfies(e -> {
                    if (e instanceof LockException known) {
                        assertThat(known.code()).isNotEqualTo(Code.SERVICE_UNAVAILABLE);
                    }
                });
    }

    @Test
    @Rule("ASY-4")
    @DisplayName("cancelling the stage of an extension neither stops renewals nor blocks later extensions")
    void cancelledExtension() {
        Lease lease = done(async.acquire("k", LockOptions.defaults().autoExtend()));
        simulator.delayReply(Operation.EXTEND, Duration.ofSeconds(1));
        async.extend(lease.lockId(), Duration.ofSeconds(30))
                .toCompletableFuture()
                .cancel(true);
        simulator.advance(Duration.ofSeconds(2));

        assertThat(lease.extend(Duration.ofSeconds(30)).ok()).isTrue();
        simulator.advance(Duration.ofMinutes(5));
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    @Rule("ASY-4")
    @DisplayName("cancelling the stage of a release neither repeats it nor makes it a loss")
    void cancelledRelease() {
        Lease lease = done(async.acquire("k"));
        simulator.delayReply(Operation.RELEASE, Duration.ofSeconds(1));
        async.release(lease.lockId()).toCompletableFuture().cancel(true);
        CompletableFuture<Boolean> closing = Blocked.start(() -> {
            lease.close();
            return true;
        });
        simulator.advance(Duration.ofSeconds(2));

        assertThat(closing).succeedsWithin(Duration.ofSeconds(20));
        assertThat(lease.wasLost()).isFalse();
    }

    @Test
    @Rule("ASY-3")
    @DisplayName("a body that returns no stage fails the call and frees the lock")
    @SuppressWarnings("NullAway")
    void noStage() {
        assertFails(async.<Integer>call("k", lease -> null).toCompletableFuture(), NullPointerException.class);
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @Rule("ASY-3")
    @DisplayName("a missing signal is refused and leaves the key usable")
    void noSignal() {
        assertFails(async.acquire("k", PATIENT, null).toCompletableFuture(), LockException.class);
        assertThat(done(async.acquire("k", PATIENT)).isValid()).isTrue();
    }

    @Test
    @Rule("ASY-5")
    @DisplayName("an attempt whose signal fired and whose stage was cancelled leaves no lock")
    void abortedAndCancelled() {
        AbortSignal signal = AbortSignal.create();
        simulator.delayReply(Operation.ACQUIRE, Duration.ofSeconds(1));
        CompletableFuture<AcquireResult> tried =
                async.tryAcquire("k", guard.options(), signal).toCompletableFuture();
        signal.abort();
        tried.cancel(true);

        simulator.advance(Duration.ofSeconds(2));

        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @Rule("ASY-5")
    @DisplayName("Aborted is reported after the grant has gone back")
    void abortedAfterRelease() {
        AbortSignal signal = AbortSignal.create();
        simulator.delayReply(Operation.ACQUIRE, Duration.ofSeconds(1));
        long start = simulator.nowMs();
        CompletableFuture<Lease> acquire = async.acquire("k", PATIENT, signal).toCompletableFuture();
        CompletableFuture<Long> heardAt = acquire.handle((lease, failure) -> simulator.nowMs());
        signal.abort();
        simulator.delayReply(Operation.RELEASE, Duration.ofSeconds(1));
        await().until(() -> {
            simulator.advance(Duration.ofMillis(100));
            return heardAt.isDone();
        });

        assertThat(heardAt.join()).as("after both replies").isGreaterThanOrEqualTo(start + 2000);
        assertFails(acquire, LockException.class);
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @DisplayName("thousands of extensions of one lease, queued at once, all complete")
    void manyExtensions() {
        Lease lease = done(async.acquire("k"));
        simulator.delayReply(Operation.EXTEND, Duration.ofSeconds(1));
        List<CompletableFuture<ExtendResult>> extensions = Stream.generate(() ->
                        async.extend(lease.lockId(), Duration.ofSeconds(30)).toCompletableFuture())
                .limit(5000)
                .toList();

        simulator.advance(Duration.ofSeconds(2));

        assertThat(CompletableFuture.allOf(extensions.toArray(CompletableFuture<?>[]::new)))
                .succeedsWithin(Duration.ofSeconds(30));
        assertThat(lease.isValid()).isTrue();
    }
}
