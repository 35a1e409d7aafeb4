package dev.syncguard.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Completes the stages of callers on the completion executor, so that their continuations never run on other threads.
 *
 * <p>An executor that runs its first task in its caller is taken at its word: continuations run where replies arrive. One
 * that does so later only (a full pool with a caller-runs policy) would block the thread that reads the replies of all
 * others: what it hands back runs on the guard's own threads.
 */
final class Completion {

    private final Executor application;
    private final Executor own;
    private final LastResort lastResort;
    private final InFlight inFlight;
    private volatile @Nullable Boolean direct;

    /**
     * Creates the completion of one guard.
     *
     * @param application where stages complete
     * @param own the guard's own threads, if the application's take nothing
     * @param inFlight learns where continuations run
     */
    Completion(Executor application, Executor own, LastResort lastResort, InFlight inFlight) {
        this.application = application;
        this.own = own;
        this.lastResort = lastResort;
        this.inFlight = inFlight;
    }

    /** Returns a stage of its own that follows a result of the guard; cancelling it cancels nothing. */
    <T extends @Nullable Object> CompletableFuture<T> follow(CompletableFuture<T> result) {
        CompletableFuture<T> stage = new CompletableFuture<>();
        Stages.whenDone(
                result,
                (value, failure) -> run(() -> {
                    if (failure != null) {
                        stage.completeExceptionally(Failures.unwrap(failure));
                    } else {
                        stage.complete(value);
                    }
                }));
        return stage;
    }

    /**
     * Runs something that completes a stage, once: an executor that throws may have taken the task all the same. Here if no
     * executor takes it, because every stage completes; but never on a thread that keeps leases alive.
     */
    void run(Runnable task) {
        Runnable once = new Continuations(task);
        if (application == own) {
            runOn(own, once);
        } else if (CleanThreads.isUpkeep()) {
            runOn(own, () -> runOnApplication(once));
        } else {
            runOnApplication(once);
        }
    }

    /** Runs something of the guard's own that must not wait for the application. */
    void runOwn(Runnable task) {
        runOn(own, new Once(task));
    }

    private void runOn(Executor executor, Runnable once) {
        try {
            executor.execute(once);
        } catch (Throwable rejected) {
            lastResort.run(once, () -> runOn(executor, once));
        }
    }

    private void runOnApplication(Runnable once) {
        Handed task = new Handed(once);
        try {
            application.execute(task);
            task.taken = true;
        } catch (Throwable rejected) {
            runOn(own, once);
        }
    }

    /** Completes a stage, and so runs what the application has attached to it. */
    private final class Continuations extends Once {

        private static final long serialVersionUID = 1L;

        Continuations(Runnable task) {
            super(task);
        }

        @Override
        public void run() {
            boolean outer = inFlight.enter();
            try {
                super.run();
            } finally {
                inFlight.leave(outer);
            }
        }
    }

    /** A task in the hands of the application's executor, which may run it before it has taken it. */
    private final class Handed implements Runnable {

        private final Thread giver = Thread.currentThread();
        private final Runnable once;
        private volatile boolean taken; // by the giver, which may be the one that runs it

        Handed(Runnable once) {
            this.once = once;
        }

        @Override
        public void run() {
            boolean here = Thread.currentThread() == giver && !taken;
            Boolean usual = direct;
            if (usual == null) {
                direct = here;
            } else if (here && !usual) {
                runOn(own, once);
                return;
            }
            once.run();
        }
    }
}
