package dev.syncguard.telemetry;

import dev.syncguard.spi.support.StoreThreads;
import java.lang.System.Logger.Level;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries events to the listener on one daemon thread, which starts with the first event. Never blocks a sender and never
 * throws at one.
 */
final class EventQueue implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final long CLOSE_MILLIS = 1000;

    private final LockEventListener listener;
    private final Predicate<LockEvent> includeRaw;
    private final BlockingQueue<Supplier<LockEvent>> queue;
    private final ThreadFactory threads;
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private volatile boolean closed;
    private volatile boolean abandoned;

    EventQueue(LockEventListener listener, Predicate<LockEvent> includeRaw, int capacity) {
        this(listener, includeRaw, capacity, work -> StoreThreads.daemon("syncguard-telemetry", work));
    }

    EventQueue(LockEventListener listener, Predicate<LockEvent> includeRaw, int capacity, ThreadFactory threads) {
        this.listener = listener;
        this.includeRaw = includeRaw;
        this.queue = new ArrayBlockingQueue<>(capacity);
        this.threads = threads;
    }

    /** Takes an event to be made on the queue's own thread: hashing costs the sender nothing. */
    void send(Supplier<LockEvent> event) {
        try {
            if (closed || !hasThread() || !queue.offer(event)) {
                dropped.incrementAndGet();
            }
        } catch (Throwable e) {
            dropped.incrementAndGet(); // out of memory or threads: the next event tries again
        }
    }

    private boolean hasThread() {
        if (thread.get() != null) {
            return true;
        }
        Thread fresh = threads.newThread(this::deliver);
        if (!thread.compareAndSet(null, fresh)) {
            return true;
        }
        try {
            fresh.start();
            return true;
        } catch (Throwable e) {
            thread.set(null);
            return false;
        }
    }

    long dropped() {
        return dropped.get();
    }

    long failed() {
        return failed.get();
    }

    private void deliver() {
        try {
            boolean more = true;
            while (more) {
                more = deliverNext();
            }
        } finally {
            thread.set(null); // if this was not the end, the next event starts another one
        }
    }

    /**
     * Returns whether to go on. The flag that a listener left is cleared before the look at {@link #abandoned}: an interrupt
     * of {@link #close} that comes later stays, and ends what the listener waits for.
     */
    private boolean deliverNext() {
        try {
            Thread.interrupted();
            if (abandoned) {
                return false;
            }
            Supplier<LockEvent> next = queue.poll(100, TimeUnit.MILLISECONDS);
            if (next == null) {
                return !closed;
            }
            LockEvent event = next.get();
            listener.onEvent(mayShowRaw(event) ? event : event.withoutRaw());
        } catch (InterruptedException e) {
            return !abandoned;
        } catch (Throwable e) {
            failed(e);
        }
        return true;
    }

    private void failed(Throwable failure) {
        if (failed.getAndIncrement() == 0) {
            try {
                LOGGER.log(Level.WARNING, "a telemetry listener threw; further failures are only counted", failure);
            } catch (Throwable e) {
                // There is no one left to tell: the count has the listener's failure.
            }
        }
    }

    /** Fails closed: a predicate that throws hides the identifiers. */
    private boolean mayShowRaw(LockEvent event) {
        try {
            return includeRaw.test(event);
        } catch (Throwable e) {
            return false;
        }
    }

    /** Delivers what is queued, for a second at most. */
    @Override
    public void close() {
        closed = true;
        Thread current = thread.get();
        if (current == null || Thread.currentThread() == current) {
            return;
        }
        try {
            current.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        abandoned = true;
        current.interrupt();
    }
}
