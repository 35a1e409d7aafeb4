package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.support.InterruptShield;
import dev.syncguard.spi.support.StoreThreads;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a call of the driver that blocks, on a thread of its own, and waits for it no longer than a limit. The driver's own
 * limits need its threads: where the process may start no more of them, such a call would never return.
 */
final class BoundedCall {

    private static final int ATTEMPTS = 5;

    private BoundedCall() {}

    /** What arrives after the limit is closed. */
    static <C extends StatefulConnection<?, ?>> C connect(Supplier<C> connect, Duration limit) {
        // A limit is some command timeouts long: all that is tried again begins within about one of them.
        long again = limit.toNanos() / 10;
        return run(
                () -> untilAnswered(connect, again),
                late -> {
                    var unused = late.closeAsync();
                },
                limit);
    }

    /**
     * Tries again what ended with a closed connection and no reason. A server that refuses somebody says why; the driver then
     * closes the connection, and its handler of closed connections may be quicker than the one that brings the reason: seen
     * with one refused password in a hundred.
     */
    private static <C> C untilAnswered(Supplier<C> connect, long again) {
        long start = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try {
                return connect.get();
            } catch (RuntimeException e) {
                if (attempt == ATTEMPTS || System.nanoTime() - start > again || !RedisErrors.isClosedWithoutReason(e)) {
                    throw e;
                }
            }
        }
    }

    static void run(Runnable call, Duration limit) {
        boolean unused = run(
                () -> {
                    call.run();
                    return true;
                },
                late -> {},
                limit);
    }

    private static <T> T run(Supplier<T> call, Consumer<T> late, Duration limit) {
        CompletableFuture<T> result = new CompletableFuture<>();
        start(() -> {
            try {
                T value = call.get();
                if (!result.complete(value)) {
                    late.accept(value);
                }
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return InterruptShield.get(result, limit.toNanos());
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        } catch (TimeoutException e) {
            if (result.completeExceptionally(e)) {
                throw RedisErrors.notConnected(e);
            }
            return result.join(); // it arrived at the last moment
        }
    }

    private static void start(Runnable task) {
        try {
            Thread unused = StoreThreads.start("syncguard-redis-connect", task);
        } catch (OutOfMemoryError e) {
            throw new LockException(Code.RATE_LIMITED, "this process may start no more threads", e);
        }
    }

    private static RuntimeException rethrown(@Nullable Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException known ? known : RedisErrors.notConnected(failure);
    }
}
