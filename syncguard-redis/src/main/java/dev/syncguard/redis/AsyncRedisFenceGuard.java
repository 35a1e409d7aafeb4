package dev.syncguard.redis;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.fence.StaleFenceException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Fenced writes without a blocked thread. Every failure is in the stage: a {@link StaleFenceException}, or a {@link
 * LockException}, also for arguments. Stages complete on threads of the driver: continuations must not block.
 */
public final class AsyncRedisFenceGuard {

    private final RedisExecutor executor;

    AsyncRedisFenceGuard(RedisExecutor executor) {
        this.executor = executor;
    }

    /**
     * Checks alone, without a write.
     *
     * @param resource what is written to
     * @param fence the fence of the writer's lease
     * @return completes with true if the fence is accepted
     */
    public CompletionStage<Boolean> advance(String resource, Fence fence) {
        return submit(() -> RedisFenceRequests.advance(resource, fence));
    }

    /**
     * Returns the highest fence that was accepted for a resource.
     *
     * @param resource what is written to
     * @return completes with the fence, or empty if none was accepted yet
     */
    public CompletionStage<Optional<Fence>> highest(String resource) {
        return submit(() -> RedisFenceRequests.highest(resource));
    }

    /**
     * Sets a key, unless a newer fence was accepted for it.
     *
     * @param key the key, 1 to 512 bytes
     * @param value what to write
     * @param fence the fence of the writer's lease
     * @return completes with true if it is written
     */
    public CompletionStage<Boolean> set(String key, String value, Fence fence) {
        return submit(() -> RedisFenceRequests.set(key, value, fence));
    }

    /**
     * Sets fields of a hash, unless a newer fence was accepted for it.
     *
     * @param key the key, 1 to 512 bytes
     * @param fields what to write
     * @param fence the fence of the writer's lease
     * @return completes with true if they are written
     */
    public CompletionStage<Boolean> hset(String key, Map<String, String> fields, Fence fence) {
        return submit(() -> RedisFenceRequests.hset(key, fields, fence));
    }

    /**
     * Deletes a key, unless a newer fence was accepted for it.
     *
     * @param key the key, 1 to 512 bytes
     * @param fence the fence of the writer's lease
     * @return completes with whether there was such a key
     */
    public CompletionStage<Boolean> del(String key, Fence fence) {
        return submit(() -> RedisFenceRequests.del(key, fence));
    }

    /**
     * Runs a script of the application, unless a newer fence was accepted for its first key.
     *
     * @param script the script
     * @param keys its keys; the first one is fenced
     * @param arguments its arguments
     * @param fence the fence of the writer's lease
     * @return completes with what the script returned, as {@link RedisFenceGuard#run}
     */
    public CompletionStage<List<Object>> run(
            FencedScript script, List<String> keys, List<String> arguments, Fence fence) {
        return submit(() -> RedisFenceRequests.run(script, keys, arguments, fence));
    }

    private <T> CompletionStage<T> submit(Supplier<RedisRequest<T>> request) {
        try {
            return executor.submit(request.get());
        } catch (LockException e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
