package dev.syncguard.internal;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Takes steps one after the other, on whatever thread something happens.
 *
 * <p>What happens only counts up; the thread that counted up from zero steps until the count is back at zero. So steps never
 * overlap, none is missed, and plain fields are safely handed from step to step.
 */
final class Mailbox extends AtomicInteger implements Runnable {

    private static final long serialVersionUID = 1L;

    private final transient Runnable step;

    /** Creates a mailbox whose first step is up to {@link #run}; what happens before waits for it. */
    Mailbox(Runnable step) {
        super(1);
        this.step = step;
    }

    /** Something has happened: it is dealt with here, unless another thread is at it. */
    void put() {
        if (getAndIncrement() == 0) {
            Turns.run(this);
        }
    }

    /** Steps until nothing more has happened. */
    @Override
    public void run() {
        int taken;
        do {
            taken = get();
            stepQuietly();
        } while (addAndGet(-taken) != 0);
    }

    /** Never throws: that would end all steps, and hit a neighbour in the line that only left news. */
    private void stepQuietly() {
        try {
            step.run();
        } catch (Throwable e) {
            // An Error while one was dealt with; whoever waits has been told of the first.
        }
    }
}
