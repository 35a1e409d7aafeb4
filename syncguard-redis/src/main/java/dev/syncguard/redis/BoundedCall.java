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

    private BoundedCall() {}

    /** What arrives after the limit is closed. */
    static <C extends StatefulConnection<?, ?>> C connect(Supplier<C> connect, Duration limit) {
        return run(
                connect,
                late -> {
                    var unused = late.closeAsync();
                },
                limit);
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
