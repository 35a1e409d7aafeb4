package dev.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Rule;
import dev.syncguard.spi.Timekeeper;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GuardThreadsTest {

    private static final InheritableThreadLocal<String> CONTEXT = new InheritableThreadLocal<>();

    private final Timekeeper time = new SystemTimekeeper();

    @AfterEach
    void end() {
        time.close();
    }

    @Test
    @Rule("THR-3")
    @DisplayName("threads are platform daemons that inherit nothing from the thread that caused them (E5, m2)")
    void cleanThreads() {
        CONTEXT.set("of the caller");
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(new ClassLoader(before) {});
        try (GuardThreads threads = new GuardThreads(2, time)) {
            List<Executor> kinds = List.of(
                    threads.acquires(),
                    threads.releases(),
                    threads.background(),
                    task -> threads.upkeep().execute(0, false, task),
                    threads.completion());
            for (Executor kind : kinds) {
                CompletableFuture.runAsync(
                                () -> {
                                    Thread thread = Thread.currentThread();
                                    assertThat(CONTEXT.get()).isNull();
                                    assertThat(thread.getContextClassLoader()).isSameAs(before);
                                    assertThat(thread.isDaemon()).isTrue();
                                    assertThat(isVirtual(thread)).isFalse();
                                    assertThat(thread.getName()).startsWith("syncguard-");
                                },
                                kind)
                        .join();
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
            CONTEXT.remove();
        }
    }

    @Test
    @Rule("THR-1")
    @DisplayName("the threads of renewals exist as long as there are leases, and end after them (M2)")
    void upkeepStays() {
        try (GuardThreads threads = new GuardThreads(3, time)) {
            threads.upkeep().retain();
            threads.upkeep().retain();
            threads.upkeep().release();
            assertThat(threadsNamed("syncguard-upkeep")).isEqualTo(3);

            threads.upkeep().release();
            await().until(() -> threadsNamed("syncguard-upkeep") == 0);
        }
    }

    @Test
    @Rule("THR-2")
    @DisplayName("blocked continuations do not hold up the next one, and idle threads are used again (M1)")
    void completionGrows() throws InterruptedException {
        try (GuardThreads threads = new GuardThreads(2, time)) {
            CountDownLatch release = new CountDownLatch(1);
            IntStream.range(0, 50).forEach(i -> threads.completion().execute(() -> awaitUninterruptibly(release)));

            CompletableFuture.runAsync(() -> {}, threads.completion()).join();
            release.countDown();
            await().until(() -> threadsNamed("syncguard-completion") == 0);
            IntStream.range(0, 1000)
                    .forEach(i -> CompletableFuture.runAsync(() -> {}, threads.completion())
                            .join());
            assertThat(threadsNamed("syncguard-completion")).isLessThan(5);
        }
    }

    @Test
    @DisplayName("many quick tasks at once do not start a thread each (M1)")
    void quickTasksShare() {
        try (GuardThreads threads = new GuardThreads(2, time)) {
            CountDownLatch done = new CountDownLatch(10_000);
            Set<Thread> used = ConcurrentHashMap.newKeySet();
            IntStream.range(0, 10_000)
                    .forEach(i -> threads.completion().execute(() -> {
                        used.add(Thread.currentThread());
                        done.countDown();
                    }));

            await().until(() -> done.getCount() == 0);
            assertThat(used).hasSizeLessThanOrEqualTo(20); // a machine that stands still for a moment may cost some
        }
    }

    @Test
    @DisplayName("what is queued behind a blocked task still runs when the pool is shut down, and without a timer (E3)")
    void shutdownBehindBlocked() {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(20);
        try (GuardThreads threads = new GuardThreads(2, time)) {
            threads.completion().execute(() -> awaitUninterruptibly(release));
            time.close();
            IntStream.range(0, 20).forEach(i -> threads.completion().execute(done::countDown));
        }

        await().until(() -> done.getCount() == 0);
        release.countDown();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long threadsNamed(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(name))
                .count();
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (ReflectiveOperationException e) {
            return false; // a JDK that has none
        }
    }
}
