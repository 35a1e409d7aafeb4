package dev.syncguard.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits that must not be cut short. */
final class Waits {

    private Waits() {}

    /** Waits without giving up on an interrupt, whose flag is kept; false if the limit passed. */
    static boolean untilDone(CompletableFuture<?> future, long limitNanos) {
        long start = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    future.get(limitNanos - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
                    return true;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException | java.util.concurrent.CancellationException e) {
                    return true;
                } catch (TimeoutException e) {
                    return false;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
