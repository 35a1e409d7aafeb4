package dev.syncguard.redis;

import dev.syncguard.Fence;
import dev.syncguard.tck.FencedStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** Values in Redis behind the guard, blocking or asynchronous. */
record FencedRedis(RedisFenceGuard fences, Function<String, String> get, boolean asynchronous) implements FencedStore {

    @Override
    public void write(String resource, Fence fence, String value) {
        if (asynchronous) {
            join(fences.async().set(resource, value, fence).toCompletableFuture());
        } else {
            fences.set(resource, value, fence);
        }
    }

    @Override
    public boolean writeAndCrash(String resource, Fence fence, String value) {
        return false;
    }

    @Override
    public Optional<String> read(String resource) {
        return Optional.ofNullable(get.apply(resource));
    }

    @Override
    public Optional<Fence> highest(String resource) {
        return asynchronous ? join(fences.async().highest(resource).toCompletableFuture()) : fences.highest(resource);
    }

    private static <T> T join(CompletableFuture<T> stage) {
        try {
            return stage.join();
        } catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }
}
