package dev.syncguard;

import dev.syncguard.memory.LockSimulator;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;

/** Calls that wait on a thread of their own. */
final class Blocked {

    private Blocked() {}

    static <T> CompletableFuture<T> start(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(call.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /** Runs a call that waits, and moves the simulated time in small steps until it is done. */
    static <T> T whileAdvancing(LockSimulator simulator, Callable<T> call) {
        CompletableFuture<T> result = start(call);
        Awaitility.await().pollInterval(Duration.ofMillis(2)).until(() -> {
            simulator.advance(Duration.ofMillis(50));
            return result.isDone();
        });
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
