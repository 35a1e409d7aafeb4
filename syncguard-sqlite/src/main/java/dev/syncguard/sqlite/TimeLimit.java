package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.support.InterruptShield;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * How long one operation may still take. Interrupts that come meanwhile do not disturb it (CAN-2): they are set aside and
 * given back at the end.
 */
final class TimeLimit implements AutoCloseable {

    private static final long MILLI = 1_000_000;

    private final long end;
    private final InterruptShield shield = new InterruptShield();

    TimeLimit(Duration most) {
        this.end = System.nanoTime() + most.toNanos();
    }

    /** Waits for something, but not longer than the nanoseconds it is given. */
    @FunctionalInterface
    interface Waiting {
        boolean await(long nanos) throws InterruptedException;
    }

    long leftNanos() {
        return Math.max(0, end - System.nanoTime());
    }

    /** At least 1: SQLite takes 0 for "do not wait at all". */
    int leftMillis() {
        return (int) Math.max(1, leftNanos() / MILLI);
    }

    boolean isOver() {
        return leftNanos() == 0;
    }

    /** Waits as long as there is time. */
    void await(Waiting waiting) {
        while (true) {
            try {
                if (waiting.await(leftNanos())) {
                    return;
                }
                throw new LockException(
                        Code.NETWORK_TIMEOUT, "the threads of this process queue for the lock file too long");
            } catch (InterruptedException e) {
                shield.caught();
            }
        }
    }

    void pause(long nanos) {
        shield.interrupted();
        LockSupport.parkNanos(this, Math.min(nanos, leftNanos()));
    }

    @Override
    public void close() {
        shield.close();
    }
}
