package dev.syncguard.reactor;

import static dev.syncguard.spi.support.Settings.required;

import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Holds locks of a guard while publishers run.
 *
 * <pre>{@code
 * ReactorSyncGuard locks = ReactorSyncGuard.of(guard);
 * Mono<Receipt> receipt = locks.withLock("invoice:42", lease -> charge(invoice, lease.fence()));
 * }</pre>
 *
 * <p>Nothing happens before the subscription; each subscription locks anew. No thread waits. Cancelling ends the wait, or cancels
 * the body, and releases. Result and error arrive after the release. A body is subscribed to on the guard's completion
 * executor.
 *
 * <p>Errors are those of {@link SyncGuard#call}: {@link AcquisitionTimeoutException} if the lock was not free in time,
 * {@link LeaseLostException} instead of completion if the lease was lost before the body completed. With
 * {@link LockOptions#interruptOnLoss()} a loss cancels the body and is signalled at once.
 */
public final class ReactorSyncGuard {

    private final SyncGuard guard;

    private ReactorSyncGuard(SyncGuard guard) {
        this.guard = guard;
    }

    /**
     * Returns a view of a guard.
     *
     * @param guard the guard; stays open
     * @return the view
     */
    public static ReactorSyncGuard of(SyncGuard guard) {
        return new ReactorSyncGuard(required("guard", guard));
    }

    /**
     * Waits for the lock, runs the body, releases the lock whatever happens, and emits the result.
     *
     * @param key what to lock
     * @param body the work
     * @param <T> its result
     * @return the result, after the release
     */
    public <T> Mono<T> withLock(String key, Function<Lease, ? extends Mono<? extends T>> body) {
        return withLock(key, guard.options(), body);
    }

    /**
     * Waits for the lock, runs the body, releases the lock whatever happens, and emits the result.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @param body the work
     * @param <T> its result
     * @return the result, after the release
     */
    public <T> Mono<T> withLock(String key, LockOptions options, Function<Lease, ? extends Mono<? extends T>> body) {
        required("body", body);
        return Mono.usingWhen(
                        locked(key, options),
                        call -> call.<T>watched(body.apply(call.lease())),
                        LockedCall::complete,
                        LockedCall::fail,
                        LockedCall::cancelled)
                .onErrorMap(EndFailure::itself);
    }

    /**
     * Waits for the lock, runs the body, and releases the lock when it ends. The items are emitted while the lock is held.
     *
     * @param key what to lock
     * @param body the work
     * @param <T> its items
     * @return the items; completes after the release
     */
    public <T> Flux<T> withLockMany(String key, Function<Lease, ? extends Publisher<? extends T>> body) {
        return withLockMany(key, guard.options(), body);
    }

    /**
     * Waits for the lock, runs the body, and releases the lock when it ends. The items are emitted while the lock is held.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @param body the work
     * @param <T> its items
     * @return the items; completes after the release
     */
    public <T> Flux<T> withLockMany(
            String key, LockOptions options, Function<Lease, ? extends Publisher<? extends T>> body) {
        required("body", body);
        return Flux.usingWhen(
                        locked(key, options),
                        call -> call.<T>watched(Flux.from(body.apply(call.lease()))),
                        LockedCall::complete,
                        LockedCall::fail,
                        LockedCall::cancelled)
                .onErrorMap(EndFailure::itself);
    }

    private Mono<LockedCall> locked(String key, LockOptions options) {
        required("key", key);
        required("options", options);
        return Mono.from(subscriber -> subscriber.onSubscribe(new LockedCall(guard.async(), key, options, subscriber)));
    }
}
