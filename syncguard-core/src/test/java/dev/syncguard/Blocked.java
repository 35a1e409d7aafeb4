package dev.syncguard;

import dev.syncguard.memory.LockSimulator;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;

/** Calls that wait on a thread of their own. */
final class Blocked {

    private static final Duration SOON = Duration.ofSeconds(20);

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
        return whileAdvancing(simulator, start(call));
    }

    /** Moves the simulated time in small steps until a call that waits is done. */
    static <T> T whileAdvancing(LockSimulator simulator, CompletableFuture<T> call) {
        Awaitility.await().pollInterval(Duration.ofMillis(2)).until(() -> {
            if (!call.isDone()) {
                simulator.advance(Duration.ofMillis(50));
            }
            return call.isDone();
        });
        return result(call);
    }

    /** Returns the result of a call that is done soon, or throws its failure. */
    static <T> T result(CompletableFuture<T> call) {
        try {
            return call.get(SOON.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }
}
