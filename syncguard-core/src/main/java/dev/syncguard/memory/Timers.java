package dev.syncguard.memory;

import dev.syncguard.spi.Timekeeper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the simulated machines have scheduled. */
final class Timers {

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Timer> timers = new ArrayList<>();
    private long count;

    /** One of them; those of equal time run in the order of their numbers. */
    record Timer(long at, long number, VirtualTime.Machine machine, boolean byOwnClock, Runnable task) {

        long dueAt() {
            return byOwnClock ? at + machine.behind() : at;
        }
    }

    /** Adds a timer, at a moment of the machine's own monotonic clock or of the common time. */
    Timekeeper.Task add(long at, VirtualTime.Machine machine, boolean byOwnClock, Runnable task) {
        lock.lock();
        try {
            Timer timer = new Timer(at, count++, machine, byOwnClock, task);
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

    void removeAll(VirtualTime.Machine machine) {
        lock.lock();
        try {
            timers.removeIf(timer -> timer.machine == machine);
        } finally {
            lock.unlock();
        }
    }

    OptionalLong nextDue() {
        lock.lock();
        try {
            return ofRunningMachines().mapToLong(Timer::dueAt).min();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the first timer that is due at a moment. */
    @Nullable
    Timer takeDue(long moment) {
        lock.lock();
        try {
            Timer due = ofRunningMachines()
                    .filter(timer -> timer.dueAt() <= moment)
                    .min(Comparator.comparingLong(Timer::dueAt).thenComparing(Timer::number))
                    .orElse(null);
            timers.remove(due);
            return due;
        } finally {
            lock.unlock();
        }
    }

    private Stream<Timer> ofRunningMachines() {
        return timers.stream().filter(timer -> timer.machine.isRunning());
    }
}
