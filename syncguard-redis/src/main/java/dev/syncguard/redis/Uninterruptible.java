package dev.syncguard.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits although the thread is interrupted, and keeps the flag (CAN-2): giving up a command that was sent would leave an
 * unknown outcome behind.
 */
final class Uninterruptible {

    private Uninterruptible() {}

    static <T> T get(CompletableFuture<T> future, long nanos) throws ExecutionException, TimeoutException {
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
