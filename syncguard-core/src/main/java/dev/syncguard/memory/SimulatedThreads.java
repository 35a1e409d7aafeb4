package dev.syncguard.memory;

import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads that use one simulator. When all of them wait, the last one moves the time to the next timer.
 *
 * <p>A thread whose wake-up is on its way looks like one that waits. So everything that may wake a thread counts as a step,
 * and the time moves only when each waiting thread has looked at its condition after the last step of another one: until
 * then it is sent back to look again, which {@link dev.syncguard.spi.Timekeeper#park} permits.
 */
final class SimulatedThreads {

    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long NEW_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_LOOKS = 100; // for waiters that take a step themselves whenever they look

    private final VirtualTime time;
    private final long patienceNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Thread, State> states = new WeakHashMap<>();
    private long steps;

    private enum Decision {
        LOOK_AGAIN,
        WAIT,
        MOVE
    }

    /** What is known of one thread. */
    private static final class State {
        private boolean waits;
        private long seenSteps;
        private int looks;
        private long looksAt;
        private long waitsSince;
        private long waitsAt = -1;
        private long lastReturn;
    }

    SimulatedThreads(VirtualTime time, long patienceNanos) {
        this.time = time;
        this.patienceNanos = patienceNanos;
    }

    /** The calling thread did something that may wake others. Its own conditions it looks at afterwards anyway. */
    void acted() {
        lock.lock();
        try {
            step(own());
        } finally {
            lock.unlock();
        }
    }

    /** The calling thread reached the store: it is not stuck. */
    void operated() {
        lock.lock();
        try {
            State own = own();
            step(own);
            own.waitsAt = -1;
        } finally {
            lock.unlock();
        }
    }

    private void step(State own) {
        boolean current = own.seenSteps == steps;
        steps++;
        if (current) {
            own.seenSteps = steps;
        }
    }

    private State own() {
        return states.computeIfAbsent(Thread.currentThread(), thread -> new State());
    }

    void park(Object blocker) {
        try {
            switch (decide()) {
                case LOOK_AGAIN -> {}
                case WAIT -> LockSupport.parkNanos(blocker, RECHECK_NANOS);
                case MOVE -> time.nextDue().ifPresent(next -> time.advance(next - time.now()));
            }
        } finally {
            returned();
        }
    }

    private Decision decide() {
        lock.lock();
        try {
            State own = own();
            if (!isCurrent(own)) {
                own.looks++;
                return Decision.LOOK_AGAIN;
            }
            own.waits = true;
            if (states.keySet().removeIf(thread -> !thread.isAlive())) {
                steps++; // what it did last may have woken a waiter
            }
            if (mayMove()) {
                own.waits = false;
                return Decision.MOVE;
            }
            throwIfStuck(own);
            return Decision.WAIT;
        } finally {
            lock.unlock();
        }
    }

    private boolean isCurrent(State state) {
        if (state.looksAt != time.now()) {
            state.looksAt = time.now();
            state.looks = 0;
        }
        return state.seenSteps == steps || state.looks >= MOST_LOOKS;
    }

    private boolean mayMove() {
        if (!states.values().stream().allMatch(state -> state.waits)) {
            return false;
        }
        return !anySentToLook() && time.nextDue().isPresent();
    }

    private boolean anySentToLook() {
        boolean any = false;
        for (Map.Entry<Thread, State> entry : states.entrySet()) {
            if (!isCurrent(entry.getValue())) {
                entry.getValue().looks++;
                LockSupport.unpark(entry.getKey());
                any = true;
            }
        }
        return any;
    }

    private void throwIfStuck(State own) {
        long real = System.nanoTime();
        if (own.waitsAt != time.now() || real - own.lastReturn > NEW_WAIT_NANOS) {
            own.waitsAt = time.now();
            own.waitsSince = real;
        } else if (real - own.waitsSince > patienceNanos) {
            List<String> busy = states.entrySet().stream()
                    .filter(entry -> !entry.getValue().waits)
                    .map(entry -> entry.getKey().getName())
                    .toList();
            throw new IllegalStateException("simulated time stood still for "
                    + TimeUnit.NANOSECONDS.toSeconds(patienceNanos)
                    + " s while this thread waited for a lock; move the time with advance(...) from another thread, or let"
                    + " the threads that used the simulator end or wait in it, too: " + busy);
        }
    }

    private void returned() {
        lock.lock();
        try {
            State own = own();
            own.waits = false;
            own.seenSteps = steps;
            own.lastReturn = System.nanoTime();
        } finally {
            lock.unlock();
        }
    }
}
