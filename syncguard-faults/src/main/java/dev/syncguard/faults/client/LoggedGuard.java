package dev.syncguard.faults.client;

import dev.syncguard.AbortSignal;
import dev.syncguard.Lease;
import dev.syncguard.LockId;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.spi.ExtendRequest.Mode;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A guard whose every call is written down. */
final class LoggedGuard {

    private static final long STUCK_SECONDS = 20;

    private final SyncGuard guard;
    private final Steps steps;

    LoggedGuard(SyncGuard guard, Steps steps) {
        this.guard = guard;
        this.steps = steps;
    }

    SyncGuard guard() {
        return guard;
    }

    Steps steps() {
        return steps;
    }

    @Nullable
    LoggedLease acquire(String key, LockOptions options) {
        return acquire(key, options, AbortSignal.none());
    }

    @Nullable
    LoggedLease acquire(String key, LockOptions options, AbortSignal signal) {
        return granted(key, options, "blocking", () -> Delivery.of(guard.acquire(key, options, signal)));
    }

    @Nullable
    LoggedLease tryAcquire(String key, LockOptions options) {
        return granted(key, options, "try", () -> Delivery.of(guard.tryAcquire(key, options)));
    }

    @Nullable
    LoggedLease acquireAsync(String key, LockOptions options) {
        return acquireAsync(key, options, stage -> {});
    }

    /** Waits for the stage, after something was done to it. */
    @Nullable
    LoggedLease acquireAsync(String key, LockOptions options, Consumer<CompletableFuture<Lease>> meddle) {
        return granted(key, options, "async", () -> {
            CompletableFuture<Lease> stage = guard.async().acquire(key, options).toCompletableFuture();
            CompletableFuture<Delivery> delivery = stage.thenApply(Delivery::of);
            meddle.accept(stage);
            return await(delivery, options.retryPolicy().timeout());
        });
    }

    private @Nullable LoggedLease granted(String key, LockOptions options, String how, Callable<Delivery> call) {
        long number = steps.begin("acquire", key, null, options.ttl().millis(), how);
        try {
            Delivery delivery = call.call();
            if (delivery.result() instanceof Lease lease) {
                return new LoggedLease(steps, lease, delivery, key, number, options);
            }
            steps.contended(number, "acquire", key);
        } catch (Throwable e) {
            steps.failed(number, "acquire", key, null, unwrapped(e));
        }
        return null;
    }

    /** Releases by the lock id, as another process would. */
    void release(String key, LockId id) {
        answered("release", key, id, "by-id", "released", call -> guard.release(id));
    }

    /** Extends by the lock id, as another process would. */
    void extend(String key, LockId id, Duration ttl, Mode mode) {
        String how = mode == Mode.REPLACE ? "by-id" : "by-id-at-least";
        long number = steps.begin("extend", key, id, ttl.toMillis(), how);
        try {
            boolean ok = (mode == Mode.REPLACE ? guard.extend(id, ttl) : guard.extendAtLeast(id, ttl)).ok();
            steps.write(steps.ok(System.nanoTime(), number, "extend", key)
                    .put("id", Steps.hash(id))
                    .put("extended", ok));
        } catch (Throwable e) {
            steps.failed(number, "extend", key, id, e);
        }
    }

    void isLocked(String key) {
        answered("isLocked", key, null, "", "found", call -> guard.isLocked(key));
    }

    void lookup(String key) {
        answered("lookup", key, null, "", "found", call -> {
            guard.lookup(key).ifPresent(steps::say);
            return guard.lookup(key).isPresent();
        });
    }

    private void answered(
            String function,
            String key,
            @Nullable LockId id,
            String how,
            String answer,
            Function<String, Boolean> call) {
        long number = steps.begin(function, key, id, 0, how);
        try {
            boolean result = call.apply(key);
            steps.write(steps.ok(System.nanoTime(), number, function, key)
                    .put("id", Steps.hash(id))
                    .put(answer, result));
        } catch (Throwable e) {
            steps.failed(number, function, key, id, e);
        }
    }

    /** A stage that is not complete long after its time is stuck; that has a code of its own. */
    static <T> T await(CompletionStage<T> stage, Duration limit) throws Exception {
        try {
            return stage.toCompletableFuture().get(limit.toSeconds() + STUCK_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new StuckException();
        }
    }

    static Throwable unwrapped(Throwable e) {
        return e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
    }

    /** A stage was never completed. */
    static final class StuckException extends Exception {
        private static final long serialVersionUID = 1L;
    }
}
