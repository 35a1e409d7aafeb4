package dev.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.spi.Timekeeper;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LastResortTest {

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
                time,
                new InFlight());

        time.schedule(
                0, () -> completion.run(() -> ran.add(Thread.currentThread().getName())));

        await().until(() -> !ran.isEmpty());
        assertThat(ran).containsExactly("relieved");
        time.close();
    }
}
