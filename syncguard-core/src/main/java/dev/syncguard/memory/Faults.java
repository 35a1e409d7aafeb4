package dev.syncguard.memory;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator.Operation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What will go wrong. */
final class Faults {

    private final VirtualTime time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Operation, Queue<Fault>> next = new EnumMap<>(Operation.class);
    private volatile long outageUntil;

    Faults(VirtualTime time) {
        this.time = time;
    }

    /** What happens to one operation. */
    record Fault(@Nullable LockException failure, boolean reachesStore, Duration delay) {
        static final Fault NONE = new Fault(null, true, Duration.ZERO);
    }

    void add(Operation operation, Fault fault) {
        lock.lock();
        try {
            next.computeIfAbsent(operation, key -> new ArrayDeque<>()).add(fault);
        } finally {
            lock.unlock();
        }
    }

    void outage(long nanos) {
        outageUntil = time.now() + nanos;
    }

    /** For what no fault of its own can hit. */
    void throwIfOut() {
        if (time.now() < outageUntil) {
            throw outage();
        }
    }

    /** During an outage the faults that were ordered wait for its end. */
    Fault take(Operation operation) {
        if (time.now() < outageUntil) {
            return new Fault(outage(), false, Duration.ZERO);
        }
        lock.lock();
        try {
            Queue<Fault> queue = next.get(operation);
            Fault fault = queue == null ? null : queue.poll();
            return fault == null ? Fault.NONE : fault;
        } finally {
            lock.unlock();
        }
    }

    private static LockException outage() {
        return new LockException(Code.SERVICE_UNAVAILABLE, "simulated outage");
    }
}
