package dev.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.spi.Timekeeper;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LastResortTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    @DisplayName(
            "M1: without a thread to be had, code of the application waits rather than to run where leases are kept")
    void notOnUpkeepThreads() {
        Timekeeper time = new SystemTimekeeper();
        Set<String> ran = ConcurrentHashMap.newKeySet();
        AtomicInteger refusals = new AtomicInteger();
        Completion completion = new Completion(
                task -> {
                    throw new OutOfMemoryError("injected: unable to create native thread");
                },
                task -> {
                    if (refusals.incrementAndGet() < 3) {
                        throw new OutOfMemoryError("injected: unable to create native thread");
                    }
                    new Thread(task, "relieved").start();
                },
                new LastResort(time),
                new InFlight());

        time.schedule(
                0, () -> completion.run(() -> ran.add(Thread.currentThread().getName())));

        await().until(() -> !ran.isEmpty());
        assertThat(ran).containsExactly("relieved");
        time.close();
    }

    @Test
    @DisplayName("what waits for a thread when the guard closes runs then")
    void waitingAtTheClose() {
        Timekeeper time = new SystemTimekeeper();
        LastResort lastResort = new LastResort(time);
        AtomicInteger ran = new AtomicInteger();
        CompletableFuture<Integer> postponed = new CompletableFuture<>();
        time.schedule(0, () -> {
            lastResort.run(new Once(ran::incrementAndGet), () -> {});
            postponed.complete(ran.get());
        });
        assertThat(postponed).succeedsWithin(SOON).isEqualTo(0);

        time.close();
        lastResort.close();

        assertThat(ran).hasValue(1);
    }

    @Test
    @DisplayName("what finds no thread after the guard has closed runs at once")
    void afterTheClose() {
        Timekeeper time = new SystemTimekeeper();
        LastResort lastResort = new LastResort(time);
        CompletableFuture<Integer> ranHere = new CompletableFuture<>();
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        AtomicInteger ran = new AtomicInteger();
        time.schedule(0, () -> {
            begun.complete(null);
            closed.join();
            lastResort.run(new Once(ran::incrementAndGet), () -> {});
            ranHere.complete(ran.get());
        });
        assertThat(begun).succeedsWithin(SOON);

        time.close();
        lastResort.close();
        closed.complete(null);

        assertThat(ranHere).succeedsWithin(SOON).isEqualTo(1);
    }
}
