package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.spi.Timekeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole life of a guard, again and again, while it is out of memory at each of its looks at the clock in turn. */
@Tag("once")
class EveryLookTest {

    /** A clock that fails once, in the middle of what the guard does between its calls of the backend. */
    private static final class FailingClock implements Timekeeper {

        private final Timekeeper time;
        private final int failsAt;
        private final AtomicInteger looks = new AtomicInteger();
        private volatile boolean healed;

        FailingClock(Timekeeper time, int failsAt) {
            this.time = time;
            this.failsAt = failsAt;
        }

        @Override
        public long nanoTime() {
            if (looks.getAndIncrement() == failsAt && !healed) {
                throw new OutOfMemoryError("injected: Java heap space");
            }
            return time.nanoTime();
        }

        @Override
        public Task schedule(long delayNanos, Runnable task) {
            return time.schedule(delayNanos, task);
        }

        @Override
        public void execute(Executor threads, Runnable task) {
            time.execute(threads, task);
        }

        @Override
        public void close() {
            time.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    @Rule("FLT-5")
    @DisplayName("an Error anywhere inside the guard leaves no lock, no thread and no hanging stage (C3)")
    void outOfMemory(boolean nativeAsync, boolean asyncView) throws Throwable {
        AtomicReference<FailingClock> healthy = new AtomicReference<>();
        new WatchedLife(nativeAsync, asyncView, time -> {
                    healthy.set(new FailingClock(time, -1));
                    return healthy.get();
                })
                .live((point, call) -> call.proceed(), true, false);
        List<Runnable> lives = new ArrayList<>();
        for (int i = 0; i < healthy.get().looks.get(); i++) {
            int look = i;
            lives.add(() -> liveThrough(look, nativeAsync, asyncView));
        }
        EveryCallTest.runAll("out of memory", lives);
    }

    private static void liveThrough(int look, boolean nativeAsync, boolean asyncView) {
        AtomicReference<FailingClock> clock = new AtomicReference<>();
        WatchedLife life = new WatchedLife(nativeAsync, asyncView, time -> {
            clock.set(new FailingClock(time, look));
            return clock.get();
        });
        String what = "out of memory at look " + look;
        try {
            life.live(
                    (point, call) -> {
                        clock.get().healed |= life.isOver();
                        return call.proceed();
                    },
                    true,
                    true);
        } catch (Throwable e) {
            if (life.guard != null) {
                throw new AssertionError(what, e);
            }
            return; // it could not even be built
        }
        assertThat(life.locks()).as(what).isEmpty();
        assertThat(life.life.lost).as(what + ": renewals stopped").isFalse();
    }
}
