package dev.syncguard.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VirtualTimeTest {

    private static final long SECOND = 1_000_000_000L;

    private final VirtualTime time = new VirtualTime();
    private final VirtualTime.Machine machine = time.new Machine();
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());

    /** Waits as a blocking acquire does. */
    private static final class Sleeper {
        private final Thread thread = Thread.currentThread();
        private volatile boolean woken;

        void wake() {
            woken = true;
            LockSupport.unpark(thread);
        }

        void sleep(VirtualTime.Machine machine) {
            while (!woken) {
                machine.park(this);
            }
        }

        static void sleep(VirtualTime.Machine machine, long nanos) {
            Sleeper sleeper = new Sleeper();
            machine.schedule(nanos, sleeper::wake);
            sleeper.sleep(machine);
        }
    }

    @Test
    @DisplayName("the only thread moves the time itself, and runs the timers on its way")
    void alone() {
        machine.schedule(SECOND, () -> order.add("1"));
        time.new Machine().schedule(2 * SECOND, () -> order.add("2"));
        machine.schedule(4 * SECOND, () -> order.add("4"));

        Sleeper.sleep(machine, 3 * SECOND);

        assertThat(time.now()).isEqualTo(3 * SECOND);
        assertThat(order).containsExactly("1", "2");
    }

    @Test
    @DisplayName("an interrupted thread waits as well")
    void interrupted() {
        Thread.currentThread().interrupt();

        Sleeper.sleep(machine, SECOND);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(time.now()).isEqualTo(SECOND);
    }

    @Test
    @DisplayName("threads that all wait see their moments in order, each exactly at its time")
    void several() throws Exception {
        int threads = 4;
        CountDownLatch registered = new CountDownLatch(threads);
        List<Thread> started = new ArrayList<>();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < threads; i++) {
            long number = i;
            Thread thread = new Thread(() -> {
                VirtualTime.Machine own = time.new Machine();
                time.threads().acted();
                registered.countDown();
                try {
                    registered.await();
                    for (long step = 1; step <= 50; step++) {
                        Sleeper.sleep(own, threads * SECOND + (step == 1 ? number * SECOND : 0));
                        assertThat(time.now() / SECOND).isEqualTo(threads * step + number);
                        order.add(String.valueOf(time.now() / SECOND));
                    }
                } catch (Throwable e) {
                    failures.add(e);
                }
            });
            started.add(thread);
            thread.start();
        }
        for (Thread thread : started) {
            thread.join();
        }

        assertThat(failures).isEmpty();
        assertThat(order)
                .isEqualTo(java.util.stream.IntStream.range(4, 204)
                        .mapToObj(String::valueOf)
                        .toList());
    }

    @Test
    @DisplayName("a wake-up by another thread that waits afterwards is seen before the time moves")
    void pendingWakeUp() throws Exception {
        for (int round = 0; round < 300; round++) {
            VirtualTime fresh = new VirtualTime();
            CountDownLatch registered = new CountDownLatch(2);
            AtomicReference<Sleeper> first = new AtomicReference<>();
            CompletableFuture<Long> wokenAt = new CompletableFuture<>();
            Thread sleeping = new Thread(() -> {
                Sleeper sleeper = new Sleeper();
                VirtualTime.Machine own = fresh.new Machine();
                own.schedule(10 * SECOND, sleeper::wake);
                first.set(sleeper);
                registered.countDown();
                awaitQuietly(registered);
                sleeper.sleep(own);
                wokenAt.complete(fresh.now());
            });
            Thread waking = new Thread(() -> {
                fresh.threads().acted();
                registered.countDown();
                awaitQuietly(registered);
                first.get().wake();
                Sleeper.sleep(fresh.new Machine(), SECOND);
            });
            sleeping.start();
            waking.start();
            assertThat(wokenAt.join()).as("round %d", round).isZero();
            sleeping.join();
            waking.join();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("the time does not move by itself while a thread that used the simulator does something else")
    void otherIsBusy() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch used = new CountDownLatch(1);
        Thread busy = new Thread(() -> {
            time.threads().acted();
            used.countDown();
            awaitQuietly(end);
        });
        busy.start();
        used.await();
        AtomicBoolean woken = new AtomicBoolean();
        machine.schedule(SECOND, () -> woken.set(true));
        for (int i = 0; i < 5; i++) {
            machine.park(this);
        }
        assertThat(time.now()).isZero();

        end.countDown();
        while (!woken.get()) {
            machine.park(this);
        }

        assertThat(time.now()).as("the other one ended").isEqualTo(SECOND);
    }

    @Test
    @DisplayName(
            "a thread that waits while another one does nothing fails after a while, and the message says what to do")
    void stuck() throws Exception {
        VirtualTime hasty = new VirtualTime(Duration.ofMillis(200));
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch used = new CountDownLatch(1);
        Thread idle = new Thread(
                () -> {
                    hasty.threads().acted();
                    used.countDown();
                    awaitQuietly(end);
                },
                "idle-thread");
        idle.start();
        used.await();

        assertThatThrownBy(() -> Sleeper.sleep(hasty.new Machine(), SECOND))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("advance(...)")
                .hasMessageContaining("idle-thread");
        end.countDown();
    }

    @Test
    @DisplayName("two waiters that set new timers whenever they look do not keep the time from moving")
    void restless() throws Exception {
        CountDownLatch registered = new CountDownLatch(2);
        Runnable restless = () -> {
            VirtualTime.Machine own = time.new Machine();
            time.threads().acted();
            registered.countDown();
            awaitQuietly(registered);
            while (own.nanoTime() < SECOND) {
                own.schedule(SECOND - own.nanoTime(), () -> {});
                own.park(this);
            }
        };
        Thread one = new Thread(restless);
        Thread other = new Thread(restless);
        one.start();
        other.start();
        one.join();
        other.join();

        assertThat(time.now()).isEqualTo(SECOND);
    }

    @Test
    @DisplayName(
            "a suspended machine's monotonic clock stands still, its time of day goes on, its timers go on afterwards")
    void suspended() {
        long wall = machine.currentTimeMillis();
        VirtualTime.Machine other = time.new Machine();
        machine.schedule(2 * SECOND, () -> order.add("own at " + time.now() / SECOND));
        other.schedule(2 * SECOND, () -> order.add("other at " + time.now() / SECOND + ", " + machine.nanoTime()));

        time.suspend(machine, 60 * SECOND);

        assertThat(machine.nanoTime()).isZero();
        assertThat(other.nanoTime()).isEqualTo(60 * SECOND);
        assertThat(machine.currentTimeMillis() - wall).isEqualTo(60_000);
        time.advance(2 * SECOND);
        assertThat(machine.nanoTime()).isEqualTo(2 * SECOND);
        assertThat(order).containsExactly("other at 2, 0", "own at 62");
    }

    @Test
    @DisplayName("a paused machine's clocks go on, and its timers run late")
    void paused() {
        machine.schedule(2 * SECOND, () -> order.add("own at " + time.now() / SECOND));

        time.pause(machine, 60 * SECOND);

        assertThat(machine.nanoTime()).isEqualTo(60 * SECOND);
        assertThat(order).containsExactly("own at 60");
    }

    @Test
    @DisplayName("work for other threads runs at once on this one, and its failures are not the caller's")
    void execute() {
        List<Throwable> failures = new ArrayList<>();
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((t, e) -> failures.add(e));
        try {
            machine.execute(work -> order.add("handed over"), () -> order.add("here"));
            machine.execute(work -> {}, () -> {
                throw new StackOverflowError("task");
            });
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }

        assertThat(order).containsExactly("here");
        assertThat(failures).hasSize(1);
    }

    @Test
    @DisplayName("a closed machine's timers are gone, and new ones are ignored")
    void closed() {
        machine.schedule(SECOND, () -> order.add("old"));
        machine.close();
        machine.schedule(SECOND, () -> order.add("new"));
        time.new Machine().schedule(Long.MAX_VALUE, () -> order.add("never"));

        time.advance(3600 * SECOND);

        assertThat(order).isEmpty();
    }
}
