package dev.syncguard.spi.support;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Keeps interrupts from an operation (CAN-2): giving up a command that was sent would leave an unknown outcome behind. They
 * are set aside meanwhile and given back at the end.
 *
 * <p>For one thread, in a try-with-resources statement; the static methods are short forms.
 */
public final class InterruptShield implements AutoCloseable {

    private boolean caught;

    /** Sets aside an interrupt that came before. */
    public InterruptShield() {
        interrupted();
    }

    /**
     * Sets aside an interrupt that came meanwhile.
     *
     * @return whether there was one
     */
    public boolean interrupted() {
        boolean now = Thread.interrupted();
        caught |= now;
        return now;
    }

    /** Remembers an interrupt that was thrown as an exception. */
    public void caught() {
        caught = true;
    }

    /** Gives back what was set aside. */
    @Override
    public void close() {
        if (caught) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Calls something that does not expect an interrupt.
     *
     * @param <T> the type of the result
     * @param call what to call
     * @return its result
     */
    public static <T> T call(Supplier<T> call) {
        boolean interrupted = Thread.interrupted();
        try {
            return call.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits for a result, but not for ever.
     *
     * @param <T> the type of the result
     * @param future what to wait for
     * @param nanos for how long
     * @return the result
     * @throws ExecutionException if it failed
     * @throws TimeoutException if there is none in time
     */
    public static <T> T get(Future<T> future, long nanos) throws ExecutionException, TimeoutException {
        long deadline = System.nanoTime() + nanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
