package dev.syncguard.memory;

import dev.syncguard.spi.Timekeeper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A time that stands still until it is moved, and the timers of the simulated machines.
 *
 * <p>Timers run on the thread that moves the time, in order, each at its own moment.
 */
final class VirtualTime {

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Timer> timers = new ArrayList<>();
    private final AtomicLong now = new AtomicLong();
    private long count;

    long now() {
        return now.get();
    }

    /** Moves the time; the timers of a frozen machine run late, after all the others. */
    void advance(long nanos, @Nullable Machine frozen) {
        long target = now.get() + nanos;
        while (true) {
            Timer due = takeDue(target, frozen);
            if (due == null) {
                break;
            }
            now.accumulateAndGet(due.at, Math::max);
            due.task.run();
        }
        now.accumulateAndGet(target, Math::max);
        if (frozen != null) {
            advance(0, null);
        }
    }

    private @Nullable Timer takeDue(long target, @Nullable Machine frozen) {
        lock.lock();
        try {
            Timer due = timers.stream()
                    .filter(timer -> timer.at <= target && timer.machine != frozen)
                    .min(Comparator.<Timer>comparingLong(timer -> timer.at).thenComparing(timer -> timer.number))
                    .orElse(null);
            timers.remove(due);
            return due;
        } finally {
            lock.unlock();
        }
    }

    Timekeeper.Task schedule(@Nullable Machine machine, long delayNanos, Runnable task) {
        lock.lock();
        try {
            Timer timer = new Timer(now.get() + Math.max(0, delayNanos), count++, machine, task);
            timers.add(timer);
            return () -> remove(timer);
        } finally {
            lock.unlock();
        }
    }

    private void remove(Timer timer) {
        lock.lock();
        try {
            timers.remove(timer);
        } finally {
            lock.unlock();
        }
    }

    private record Timer(long at, long number, @Nullable Machine machine, Runnable task) {}

    /** The time as one simulated machine sees it. */
    final class Machine implements Timekeeper {

        @Override
        public long nanoTime() {
            return now.get();
        }

        @Override
        public Task schedule(long delayNanos, Runnable task) {
            return VirtualTime.this.schedule(this, delayNanos, task);
        }

        @Override
        public void close() {
            lock.lock();
            try {
                timers.removeIf(timer -> timer.machine == this);
            } finally {
                lock.unlock();
            }
        }
    }
}
