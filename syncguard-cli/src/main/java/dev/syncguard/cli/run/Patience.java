package dev.syncguard.cli.run;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** How long to wait for a lock, and whether a store that fails for a while is waited for as well. */
public final class Patience {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Duration wait;
    private final boolean failFast;
    private final AbortSignal signal;
    private final boolean awaitsHolder;
    private long start = System.nanoTime();

    /**
     * Starts to count.
     *
     * @param wait how long to wait; zero for one attempt
     * @param failFast whether to give up at the first failure of the store
     * @param signal cancels
     */
    public Patience(Duration wait, boolean failFast, AbortSignal signal) {
        this(wait, failFast, signal, true);
    }

    /**
     * Waits for a store that fails, and not for another holder of the lock.
     *
     * @param wait how long
     * @param failFast whether to give up at the first failure of the store
     * @param signal cancels
     * @return the patience
     */
    public static Patience withStore(Duration wait, boolean failFast, AbortSignal signal) {
        return new Patience(wait, failFast, signal, false);
    }

    private Patience(Duration wait, boolean failFast, AbortSignal signal, boolean awaitsHolder) {
        this.wait = wait;
        this.failFast = failFast;
        this.signal = signal;
        this.awaitsHolder = awaitsHolder;
    }

    boolean awaitsHolder() {
        return awaitsHolder;
    }

    Duration whole() {
        return wait;
    }

    AbortSignal signal() {
        return signal;
    }

    boolean isFailFast() {
        return failFast;
    }

    Duration left() {
        Duration left = wait.minusNanos(System.nanoTime() - start);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /**
     * Returns whether a failure may be over before the time is. Who does not wait for a holder does not try again after an
     * attempt that may have been granted: he would take his own lock for that of another machine.
     */
    boolean outlasts(LockException failure) {
        boolean mayTryAgain = awaitsHolder || !failure.outcomeUnknown();
        return !failFast && mayTryAgain && failure.code().isTransient() && !left().isZero();
    }

    /**
     * Opens something, again and again while that fails for reasons that usually pass.
     *
     * @param opener connects to a store
     * @param <T> what is opened
     * @return what was opened
     * @throws LockException the last failure
     */
    public <T> T open(Supplier<T> opener) {
        Duration pause = FIRST_PAUSE;
        boolean failed = false;
        while (true) {
            signal.throwIfAborted();
            try {
                T opened = opener.get();
                start = failed ? start : System.nanoTime(); // a slow start is not part of the wait
                return opened;
            } catch (LockException e) {
                if (!outlasts(e)) {
                    throw e;
                }
                failed = true;
            }
            pause(pause);
            pause = min(pause.multipliedBy(2), LONGEST_PAUSE);
        }
    }

    private void pause(Duration pause) {
        CountDownLatch aborted = new CountDownLatch(1);
        AbortSignal.Registration registration = signal.onAbort(aborted::countDown);
        try {
            boolean unused = aborted.await(min(pause, left()).toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            registration.close();
        }
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
