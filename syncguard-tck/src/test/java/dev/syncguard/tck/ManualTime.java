package dev.syncguard.tck;

import dev.syncguard.spi.Timekeeper;
import java.time.Duration;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/** A time that passes when the test says so; timers run on the thread that says it. */
final class ManualTime implements Timekeeper {

    private static final long START_MS = 2_000_000_000_000L;

    private record Timer(long at, long number, Runnable task) {}

    private final AtomicLong now = new AtomicLong();
    private final AtomicLong count = new AtomicLong();
    private final NavigableSet<Timer> timers =
            new ConcurrentSkipListSet<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::number));

    void advance(Duration duration) {
        long target = now.get() + duration.toNanos();
        while (!timers.isEmpty() && timers.first().at() <= target) {
            Timer due = timers.pollFirst();
            now.accumulateAndGet(due.at(), Math::max);
            due.task().run();
        }
        now.set(target);
    }

    long nowMs() {
        return START_MS + now.get() / 1_000_000;
    }

    @Override
    public long nanoTime() {
        return now.get();
    }

    @Override
    public Task schedule(long delayNanos, Runnable task) {
        Timer timer = new Timer(now.get() + Math.max(0, delayNanos), count.incrementAndGet(), task);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    /** Does nothing: the guards of a test share this time. */
    @Override
    public void close() {}
}
