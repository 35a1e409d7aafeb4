package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.ReleaseSignals;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** However long a guard takes from the store's reply to its caller: the lease that the caller gets is not over. */
class FreshLeaseTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final LockOptions MINUTE = LockOptions.defaults().ttl(Duration.ofMinutes(1));

    private final LeapingTime time = new LeapingTime();
    private final MemoryLockBackend store = new MemoryLockBackend();
    private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();

    private SyncGuard guard(Executor executor) {
        return SyncGuard.builder(store).time(time).executor(executor).build();
    }

    private void assertUnlocked() {
        await().atMost(SOON).until(() -> !store.isLocked(LockKey.of("k"), AbortSignal.none()));
    }

    private static void assertTooLate(LockException e) {
        assertThat(e.code()).isEqualTo(Code.NETWORK_TIMEOUT);
        assertThat(e.outcomeUnknown()).isTrue();
    }

    private interface Form {
        Lease acquire(SyncGuard guard, LockOptions options) throws Exception;
    }

    static Stream<Form> forms() {
        return Stream.of(
                (guard, options) -> guard.acquire("k", options),
                (guard, options) -> (Lease) guard.tryAcquire("k", options),
                (guard, options) -> guard.async()
                        .acquire("k", options)
                        .toCompletableFuture()
                        .join(),
                (guard, options) -> (Lease) guard.async()
                        .tryAcquire("k", options)
                        .toCompletableFuture()
                        .join());
    }

    @ParameterizedTest
    @MethodSource("forms")
    @Rule("LSE-24")
    @DisplayName("a pause anywhere between the reply and the caller gives no lease that is over")
    void everyCall(Form form) throws Exception {
        LockOptions options = MINUTE.autoExtend().onLost(loss -> {}).holdAtLeast(Duration.ofMillis(1));
        try (SyncGuard guard = guard(Runnable::run)) {
            time.leapAt(-1);
            form.acquire(guard, options).close();
            int calls = time.calls();
            int late = 0;
            for (int call = 0; call < calls; call++) {
                assertUnlocked();
                late += isLate(guard, form, options, call) ? 1 : 0;
            }
            assertThat(late).as("acquires that a pause has made late").isPositive();
        }
        assertUnlocked();
    }

    private boolean isLate(SyncGuard guard, Form form, LockOptions options, int call) throws Exception {
        time.leapAt(call);
        try (Lease lease = form.acquire(guard, options)) {
            time.leapAt(-1);
            assertThat(lease.remaining()).as("at call %d", call).isPositive();
            return false;
        } catch (LockException e) {
            assertTooLate(e);
        } catch (CompletionException e) {
            assertTooLate((LockException) e.getCause());
        }
        return true;
    }

    @Test
    @Rule("LSE-24")
    @DisplayName("a subscription that is slow to end costs its waiter a lease that has run out meanwhile")
    void slowUnsubscription() {
        SyncGuard holder = SyncGuard.of(store);
        Lease held = holder.acquire("k", MINUTE);
        ReleaseSignals signals = (key, wakeUp) -> {
            held.close();
            wakeUp.run();
            return new ReleaseSignals.Subscription() {
                @Override
                public boolean isActive() {
                    return true;
                }

                @Override
                public void close() {
                    time.leap();
                }
            };
        };
        ForwardingLockBackend told = new ForwardingLockBackend(store) {
            @Override
            public Optional<ReleaseSignals> releaseSignals() {
                return Optional.of(signals);
            }

            @Override
            public Optional<HandOver> handOver() {
                return Optional.empty();
            }
        };
        try (SyncGuard guard = SyncGuard.builder(told).time(time).build()) {
            AtomicBoolean ran = new AtomicBoolean();

            assertThatThrownBy(() -> guard.run("k", MINUTE, lease -> ran.set(true)))
                    .isInstanceOfSatisfying(LockException.class, FreshLeaseTest::assertTooLate);

            assertThat(ran).isFalse();
            assertUnlocked();
        }
        holder.close();
    }

    @Test
    @Rule("LSE-24")
    @DisplayName("a lease that runs out in the queue of the executor is not delivered")
    void lateExecutor() {
        SyncGuard guard = guard(queue::add);
        CompletableFuture<Lease> acquiring = guard.async().acquire("k", MINUTE).toCompletableFuture();
        await().until(() -> !queue.isEmpty());

        time.leap();
        runQueue();

        assertThat(acquiring)
                .failsWithin(SOON)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(LockException.class, FreshLeaseTest::assertTooLate);
        assertUnlocked();
        guard.close();
    }

    @Test
    @Rule("LSE-24")
    @DisplayName("a body whose lease runs out in the queue of the executor does not begin")
    void lateBody() {
        SyncGuard guard = guard(queue::add);
        AtomicBoolean ran = new AtomicBoolean();
        CompletableFuture<?> calling = guard.async()
                .run("k", MINUTE, lease -> {
                    ran.set(true);
                    return CompletableFuture.completedFuture(null);
                })
                .toCompletableFuture();
        await().until(() -> !queue.isEmpty());

        time.leap();
        runQueue();

        assertThat(calling).failsWithin(SOON);
        assertThat(ran).isFalse();
        assertUnlocked();
        guard.close();
    }

    @Test
    @Rule("LSE-24")
    @DisplayName(
            "a body waits for the executor once, however quick its acquire was: it begins where its lease is looked at")
    void quickAcquire() {
        SyncGuard guard = guard(task -> {
            runElsewhere(task);
            queue.add(task);
        });
        AtomicBoolean ran = new AtomicBoolean();
        CompletableFuture<Void> body = new CompletableFuture<>();
        CompletableFuture<?> calling = guard.async()
                .run("k", MINUTE, lease -> {
                    ran.set(true);
                    return body;
                })
                .toCompletableFuture();
        assertThat(ran).isTrue();
        assertThat(queue).hasSize(1);

        body.complete(null);
        assertThat(calling).succeedsWithin(SOON);
        guard.close();
    }

    private void runQueue() {
        for (Runnable task = queue.poll(); task != null; task = queue.poll()) {
            task.run();
        }
    }

    private static void runElsewhere(Runnable task) {
        Thread thread = new Thread(task, "executor");
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
