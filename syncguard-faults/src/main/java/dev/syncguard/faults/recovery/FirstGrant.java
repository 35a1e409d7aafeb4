package dev.syncguard.faults.recovery;

import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.faults.Life;
import dev.syncguard.faults.client.Pause;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A client that asks for a lock every few milliseconds, as it did before the failure. */
final class FirstGrant {

    private static final LockOptions OPTIONS = LockOptions.defaults().ttl(Duration.ofSeconds(1));
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private FirstGrant() {}

    /** A failure from which the store recovers. */
    interface Failure {
        /** Returns the moment from which the time counts. */
        long inflict();
    }

    /** How long after it the first lock is granted, in nanoseconds. */
    static long after(SyncGuard guard, String key, Failure failure) {
        grant(guard, key + "-before");
        CompletableFuture<Long> granted = new CompletableFuture<>();
        CompletableFuture<Long> began = new CompletableFuture<>();
        Life.thread("asks", () -> {
            long from = began.join();
            while (System.nanoTime() - from < 0) {
                Thread.onSpinWait();
            }
            granted.complete(grant(guard, key));
        });
        Life.thread("keeps asking", () -> {
            while (!granted.isDone()) {
                attempt(guard, key + "-" + System.nanoTime());
                Pause.millis(5);
            }
        });
        long from = failure.inflict();
        began.complete(from);
        return granted.join() - from;
    }

    /** Asks until it is granted; returns when. */
    private static long grant(SyncGuard guard, String key) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < LONGEST.toNanos()) {
            if (attempt(guard, key)) {
                return System.nanoTime();
            }
            Pause.millis(5);
        }
        throw new IllegalStateException("nothing was granted within " + LONGEST);
    }

    private static boolean attempt(SyncGuard guard, String key) {
        try {
            if (guard.tryAcquire(key, OPTIONS) instanceof Lease lease) {
                lease.close();
                return true;
            }
            return false;
        } catch (LockException e) {
            return false;
        }
    }
}
