package dev.syncguard.telemetry;

import java.lang.System.Logger.Level;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Carries events to the listener on one daemon thread, which starts with the first event. Never blocks a sender. */
final class EventQueue implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final long CLOSE_MILLIS = 1000;

    private final LockEventListener listener;
    private final Predicate<LockEvent> includeRaw;
    private final BlockingQueue<Supplier<LockEvent>> queue;
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicBoolean started = new AtomicBoolean();
    private final Thread thread = new Thread(this::deliver, "syncguard-telemetry");
    private volatile boolean closed;

    EventQueue(LockEventListener listener, Predicate<LockEvent> includeRaw, int capacity) {
        this.listener = listener;
        this.includeRaw = includeRaw;
        this.queue = new ArrayBlockingQueue<>(capacity);
        thread.setDaemon(true);
    }

    /** Takes an event to be made on the queue's own thread: hashing costs the sender nothing. */
    void send(Supplier<LockEvent> event) {
        if (closed || !queue.offer(event)) {
            dropped.incrementAndGet();
        } else if (!started.get() && started.compareAndSet(false, true)) {
            thread.start();
        }
    }

    long dropped() {
        return dropped.get();
    }

    private void deliver() {
        boolean warned = false;
        while (true) {
            try {
                Supplier<LockEvent> next = queue.poll(100, TimeUnit.MILLISECONDS);
                if (next != null) {
                    LockEvent event = next.get();
                    listener.onEvent(mayShowRaw(event) ? event : event.withoutRaw());
                } else if (closed) {
                    return;
                }
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | Error e) {
                if (!warned) {
                    warned = true;
                    LOGGER.log(Level.WARNING, "a telemetry listener threw; further failures are not logged", e);
                }
            }
        }
    }

    /** Fails closed: a predicate that throws hides the identifiers. */
    private boolean mayShowRaw(LockEvent event) {
        try {
            return includeRaw.test(event);
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Delivers what is queued, for a second at most. */
    @Override
    public void close() {
        closed = true;
        if (!started.get() || Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
