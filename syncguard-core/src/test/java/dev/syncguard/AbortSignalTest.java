package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.AbortSignal.Registration;
import dev.syncguard.LockException.Code;
import dev.syncguard.memory.MemoryLockBackend;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AbortSignalTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final AtomicInteger told = new AtomicInteger();

    @Test
    @DisplayName("whatever a listener throws, the others run, and the first failure reaches the caller")
    void throwingListeners() {
        AbortSignal signal = AbortSignal.create();
        signal.onAbort(told::incrementAndGet);
        signal.onAbort(() -> {
            throw new StackOverflowError("first");
        });
        signal.onAbort(told::incrementAndGet);
        signal.onAbort(() -> {
            throw new IllegalStateException("second");
        });
        signal.onAbort(told::incrementAndGet);

        assertThatThrownBy(signal::abort).isInstanceOf(StackOverflowError.class).hasMessage("first");

        assertThat(told).hasValue(3);
        assertThat(signal.isAborted()).isTrue();
    }

    @Test
    @DisplayName("a listener that is registered twice runs twice, and each registration removes its own")
    void twice() {
        AbortSignal signal = AbortSignal.create();
        Runnable listener = told::incrementAndGet;
        signal.onAbort(listener);
        Registration second = signal.onAbort(listener);
        signal.onAbort(listener);

        second.close();
        second.close();
        signal.abort();
        signal.abort();

        assertThat(told).hasValue(2);
    }

    @Test
    @DisplayName("a signal that has fired runs a listener at once; none never fires")
    void firedAndNone() {
        AbortSignal signal = AbortSignal.create();
        signal.abort();
        signal.onAbort(told::incrementAndGet);
        AbortSignal.none().onAbort(told::incrementAndGet);

        assertThat(told).hasValue(1);
        assertThatThrownBy(AbortSignal.none()::abort).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(signal::throwIfAborted)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.ABORTED));
    }

    @Test
    @DisplayName("listeners that come, go and are told at the same time are each told once or removed")
    void race() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        for (int round = 0; round < 2000; round++) {
            AbortSignal parent = AbortSignal.create();
            AbortSignal derived = AbortSignal.any(parent, AbortSignal.timeout(LONG));
            AtomicInteger kept = new AtomicInteger();
            Future<?> comes = threads.submit(() -> derived.onAbort(kept::incrementAndGet));
            Future<?> goes =
                    threads.submit(() -> derived.onAbort(told::incrementAndGet).close());
            Future<?> fires = threads.submit(parent::abort);
            comes.get();
            goes.get();
            fires.get();
            assertThat(kept).hasValue(1);
            assertThat(derived.listeners() + parent.listeners()).isZero();
        }
        threads.shutdown();
    }

    @Test
    @DisplayName("a signal that cannot be watched stays listed with none of the others that it was derived from")
    void watchThatFails() {
        AbortSignal parent = AbortSignal.create();
        AbortSignal fired = AbortSignal.create();
        fired.abort();
        Runnable throwing = () -> {
            throw new OutOfMemoryError("injected");
        };

        assertThatThrownBy(() -> AbortSource.anyOf(List.of(parent, fired)).watch(throwing))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(parent.listeners()).isZero();
    }

    @Nested
    class Timeouts {

        @Test
        @DisplayName("it fires by itself and tells its listeners on a daemon thread")
        void fires() {
            AbortSignal signal = AbortSignal.timeout(Duration.ofMillis(100));
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            signal.onAbort(() -> thread.complete(Thread.currentThread()));

            assertThat(thread.join().isDaemon()).isTrue();
            assertThat(signal.isAborted()).isTrue();
            assertThat(signal.listeners()).isZero();
        }

        @Test
        @DisplayName("it is aborted at its time, also if nothing listens; zero and less at once, very long never")
        void withoutListeners() {
            AbortSignal signal = AbortSignal.timeout(Duration.ofMillis(5));
            await().until(signal::isAborted);

            assertThat(AbortSignal.timeout(Duration.ZERO).isAborted()).isTrue();
            assertThat(AbortSignal.timeout(Duration.ofSeconds(-1)).isAborted()).isTrue();
            AbortSignal never = AbortSignal.timeout(Duration.ofSeconds(Long.MAX_VALUE));
            never.onAbort(told::incrementAndGet).close();
            assertThat(never.isAborted()).isFalse();
            never.abort();
            assertThat(never.isAborted()).isTrue();
        }

        @Test
        @DisplayName("a listener that throws an Error does not keep later timeouts from firing")
        void throwing() {
            try (LogCapture log = LogCapture.start()) {
                AbortSignal.timeout(Duration.ofMillis(100)).onAbort(() -> {
                    throw new NoClassDefFoundError("listener");
                });
                await().until(() -> log.messages().size() == 1);
                AbortSignal.timeout(Duration.ofMillis(1)).onAbort(told::incrementAndGet);
                await().until(() -> told.get() == 1);
            }
        }

        @Test
        @DisplayName("a waiting acquire ends at the signal's time")
        void waitingAcquire() {
            try (SyncGuard guard = SyncGuard.of(new MemoryLockBackend())) {
                guard.acquire("k");

                assertThatThrownBy(() -> guard.acquire(
                                "k",
                                LockOptions.defaults().waitAtMost(LONG),
                                AbortSignal.timeout(Duration.ofMillis(20))))
                        .isInstanceOfSatisfying(
                                LockException.class, e -> assertThat(e.code()).isEqualTo(Code.ABORTED));
            }
        }

        @Test
        @DisplayName("what was listened to for a while and is no longer used is garbage, however long the timeout")
        void garbage() {
            List<WeakReference<AbortSignal>> signals = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                AbortSignal signal = AbortSignal.timeout(LONG);
                signal.onAbort(told::incrementAndGet).close();
                signals.add(new WeakReference<>(signal));
            }

            await().until(() -> {
                System.gc();
                return signals.stream().allMatch(signal -> signal.get() == null);
            });
        }
    }

    @Nested
    class Derived {

        @Test
        @DisplayName("it fires with the first of the others, once, and leaves the others alone")
        void first() {
            AbortSignal one = AbortSignal.create();
            AbortSignal other = AbortSignal.create();
            AbortSignal derived = AbortSignal.any(one, other, AbortSignal.none(), AbortSignal.timeout(LONG));
            derived.onAbort(told::incrementAndGet);

            other.abort();
            one.abort();

            assertThat(told).hasValue(1);
            assertThat(derived.isAborted()).isTrue();
            assertThat(AbortSignal.any(derived).isAborted())
                    .as("of another derived one")
                    .isTrue();
        }

        @Test
        @DisplayName("its own abort tells its listeners only, and unlists it with the others")
        void own() {
            AbortSignal parent = AbortSignal.create();
            AbortSignal derived = AbortSignal.any(parent);
            derived.onAbort(told::incrementAndGet);
            assertThat(parent.listeners()).isEqualTo(1);

            derived.abort();

            assertThat(told).hasValue(1);
            assertThat(parent.isAborted()).isFalse();
            assertThat(parent.listeners()).isZero();
            assertThat(AbortSignal.any().isAborted()).isFalse();
        }

        @Test
        @DisplayName("a listener is told although nothing else refers to the derived signal")
        void onlyTheListener() {
            AbortSignal parent = AbortSignal.create();
            AbortSignal.any(parent).onAbort(told::incrementAndGet);

            System.gc();
            parent.abort();

            assertThat(told).hasValue(1);
        }

        @Test
        @DisplayName("100,000 derived signals, used and forgotten, leave nothing with a long-lived one")
        void manyOfOne() {
            AbortSignal parent = AbortSignal.create();
            try (SyncGuard guard = SyncGuard.of(new MemoryLockBackend())) {
                ConcurrentLinkedQueue<Registration> open = new ConcurrentLinkedQueue<>();
                for (int i = 0; i < 100_000; i++) {
                    AbortSignal derived = AbortSignal.any(parent, AbortSignal.timeout(LONG));
                    guard.acquire("k", LockOptions.defaults(), derived).release();
                    open.add(derived.onAbort(told::incrementAndGet));
                    if (i % 2 == 0) {
                        derived.abort();
                    }
                }
                assertThat(parent.listeners()).isEqualTo(50_000);
                open.forEach(Registration::close);
            }

            assertThat(parent.listeners()).isZero();
            assertThat(told).hasValue(50_000);
        }
    }
}
