package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole life of a guard, again and again, while it is out of memory at each of its looks at the clock in turn. */
@Tag("once")
class EveryLookTest {

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
        for (int i = 0; i < healthy.get().looks(); i++) {
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
                        if (life.isOver()) {
                            clock.get().heal();
                        }
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
