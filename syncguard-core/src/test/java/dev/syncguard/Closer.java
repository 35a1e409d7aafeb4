package dev.syncguard;

import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Closes a guard from another thread. */
final class Closer {

    private Closer() {}

    /** Returns when closing has begun: it waits for something, or is over. */
    static void close(@Nullable SyncGuard guard, CompletableFuture<Boolean> closed) {
        if (guard == null) {
            closed.complete(true);
            return;
        }
        Thread thread = new Thread(() -> {
            try {
                guard.close();
                closed.complete(true);
            } catch (Throwable e) {
                closed.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        EnumSet<Thread.State> begun =
                EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED);
        while (!begun.contains(thread.getState())) {
            LockSupport.parkNanos(50_000); // a thread that spins would keep the other from beginning
        }
    }
}
