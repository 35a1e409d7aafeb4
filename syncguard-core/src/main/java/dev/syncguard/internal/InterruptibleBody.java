package dev.syncguard.internal;

import dev.syncguard.LockedFunction;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Runs a body whose thread is interrupted when the lease is lost, but never after the body has ended. */
final class InterruptibleBody {

    private final Thread thread = Thread.currentThread();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean running = true;
    private boolean told;
    private boolean interrupted;

    <T extends @Nullable Object, X extends Exception> T run(LeaseHandle lease, LockedFunction<T, X> body) throws X {
        try {
            lease.interruptOnLoss(this::interrupt);
            return body.apply(lease);
        } finally {
            end();
        }
    }

    private void interrupt() {
        lock.lock();
        try {
            if (running && !told) { // who notices the loss and who registers for it may both tell
                told = true;
                interrupted =
                        !thread.isInterrupted(); // else the application's own interrupt reaches the body, and stays
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes back an interrupt that the body did not notice: it was meant for the body. */
    private void end() {
        lock.lock();
        try {
            running = false;
            if (interrupted) {
                Thread.interrupted();
            }
        } finally {
            lock.unlock();
        }
    }
}
