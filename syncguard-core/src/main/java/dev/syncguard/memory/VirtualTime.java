package dev.syncguard.memory;

import dev.syncguard.spi.Timekeeper;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A time that stands still until it is moved, and the timers of the simulated machines.
 *
 * <p>Timers run on the thread that moves the time, in order, each at its own moment.
 */
final class VirtualTime {

    private static final long START_MS = 1_750_000_000_000L;
    private static final long NEVER = Long.MAX_VALUE / 4;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Timers timers = new Timers();
    private final AtomicLong now = new AtomicLong();
    private final SimulatedThreads threads;

    VirtualTime() {
        this(PATIENCE);
    }

    VirtualTime(Duration patience) {
        this.threads = new SimulatedThreads(this, patience.toNanos());
    }

    long now() {
        return now.get();
    }

    long nowMs() {
        return START_MS + now.get() / 1_000_000;
    }

    SimulatedThreads threads() {
        return threads;
    }

    /** Moves the time while every machine runs. */
    void advance(long nanos) {
        long target = now.get() + nanos;
        Timers.Timer due = timers.takeDue(target);
        while (due != null) {
            now.accumulateAndGet(due.dueAt(), Math::max);
            due.task().run();
            threads.acted();
            due = timers.takeDue(target);
        }
        now.accumulateAndGet(target, Math::max);
        threads.acted();
    }

    /** Moves the time while one machine does nothing; its timers run late, after all the others. */
    void pause(Machine machine, long nanos) {
        machine.halted = true;
        advance(nanos);
        machine.halted = false;
        advance(0);
    }

    /** Moves the time while one machine does nothing and its monotonic clock stands still; its timers go on afterwards. */
    void suspend(Machine machine, long nanos) {
        Clock before = machine.clock;
        machine.clock = new Clock(before.behind, now.get());
        advance(nanos);
        machine.clock = new Clock(before.behind + nanos, Clock.RUNNING);
        advance(0);
    }

    OptionalLong nextDue() {
        return timers.nextDue();
    }

    /** Lets something reach a machine later, whatever its own clock does meanwhile. */
    void deliver(Machine machine, long delayNanos, Runnable task) {
        timers.add(now.get() + delayNanos, machine, false, task);
    }

    /** How far a machine's monotonic clock is behind, and since when it stands still. */
    private record Clock(long behind, long stoppedAt) {
        private static final long RUNNING = -1;

        boolean isStopped() {
            return stoppedAt != RUNNING;
        }
    }

    /** The time as one simulated machine sees it. */
    final class Machine implements Timekeeper {

        private volatile Clock clock = new Clock(0, Clock.RUNNING);
        private volatile boolean halted;
        private volatile boolean closed;

        boolean isRunning() {
            return !halted && !clock.isStopped();
        }

        long behind() {
            return clock.behind;
        }

        @Override
        public long nanoTime() {
            Clock mine = clock;
            return (mine.isStopped() ? mine.stoppedAt : now.get()) - mine.behind;
        }

        @Override
        public long currentTimeMillis() {
            return nowMs();
        }

        @Override
        public Task schedule(long delayNanos, Runnable task) {
            if (closed) {
                return () -> {};
            }
            threads.acted();
            return timers.add(nanoTime() + Math.min(Math.max(0, delayNanos), NEVER), this, true, task);
        }

        /** Moves the time to the next timer if every thread that uses the simulator waits like this one. */
        @Override
        public void park(Object blocker) {
            threads.park(blocker);
        }

        /** Runs the task at once; what it throws goes where a thread's failures go, as it would from any executor. */
        @Override
        public void execute(Executor executor, Runnable task) {
            try {
                task.run();
            } catch (Throwable e) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }

        @Override
        public void close() {
            closed = true;
            timers.removeAll(this);
        }
    }
}
