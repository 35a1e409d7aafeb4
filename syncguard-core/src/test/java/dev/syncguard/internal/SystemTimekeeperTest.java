package dev.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.Rule;
import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SystemTimekeeperTest {

    private static final long LATER = 3_600_000_000_000L;

    private final AtomicBoolean outOfThreads = new AtomicBoolean(true);
    private final ThreadFactory threads = new CleanThreads("test-timer");
    private final SystemTimekeeper time = new SystemTimekeeper(work -> {
        if (outOfThreads.get()) {
            throw new OutOfMemoryError("injected: unable to create native thread");
        }
        return threads.newThread(work);
    });

    @Test
    @Rule("FLT-2")
    @DisplayName("C3: what cannot be scheduled for lack of a thread is neither kept nor run later")
    void outOfThreads() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> time.schedule(0, refused::incrementAndGet)).isInstanceOf(OutOfMemoryError.class);
        }
        assertThat(time.waiting()).isZero();

        outOfThreads.set(false);
        Timekeeper.Task later = time.schedule(LATER, refused::incrementAndGet);
        CountDownLatch ran = new CountDownLatch(1);
        time.schedule(1, ran::countDown);
        ran.await();

        assertThat(refused).hasValue(0);
        assertThat(time.waiting()).isEqualTo(1);
        later.cancel();
        assertThat(time.waiting()).isZero();
        time.close();
    }
}
