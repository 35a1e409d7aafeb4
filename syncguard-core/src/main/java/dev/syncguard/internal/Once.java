package dev.syncguard.internal;

import java.util.concurrent.atomic.AtomicBoolean;

/** A task that runs once, however often it was handed over: an executor that threw may have kept it. */
class Once extends AtomicBoolean implements Runnable {

    private static final long serialVersionUID = 1L;

    private final transient Runnable task;

    Once(Runnable task) {
        this.task = task;
    }

    @Override
    public void run() {
        if (compareAndSet(false, true)) {
            task.run();
        }
    }
}
