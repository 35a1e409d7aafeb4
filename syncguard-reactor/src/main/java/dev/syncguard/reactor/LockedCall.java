package dev.syncguard.reactor;

import dev.syncguard.AbortSignal;
import dev.syncguard.AsyncSyncGuard;
import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * One {@code call} of the guard, whose body is a publisher: the resource of a {@code usingWhen}, and the subscription to it.
 *
 * <p>A lease is delivered or the wait is cancelled, whichever is first and once: a lease that nobody takes is given back by the
 * guard. The guard waits for {@link #body}, which each end of the publisher completes.
 */
final class LockedCall implements Subscription {

    private final AsyncSyncGuard guard;
    private final String key;
    private final LockOptions options;
    private final Subscriber<? super LockedCall> subscriber;
    private final AbortSignal signal = AbortSignal.create();
    private final AtomicBoolean requested = new AtomicBoolean();
    private final AtomicBoolean settled = new AtomicBoolean();
    private final CompletableFuture<@Nullable Object> body = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Object> end = new CompletableFuture<>();
    private volatile @Nullable Lease lease;
    private volatile @Nullable Object result;

    LockedCall(AsyncSyncGuard guard, String key, LockOptions options, Subscriber<? super LockedCall> subscriber) {
        this.guard = guard;
        this.key = key;
        this.options = options;
        this.subscriber = subscriber;
    }

    @Override
    public void request(long n) {
        if (requested.compareAndSet(false, true)) {
            guard.call(key, options, signal, this::granted).whenComplete(this::ended);
        }
    }

    private CompletionStage<@Nullable Object> granted(Lease granted) {
        lease = granted;
        if (settled.compareAndSet(false, true)) {
            subscriber.onNext(this);
            subscriber.onComplete();
        } else {
            granted.waiveHoldAtLeast();
            body.completeExceptionally(new CancellationException());
        }
        return body;
    }

    private void ended(@Nullable Object value, @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause == null) {
            end.complete(value);
            return;
        }
        if (settled.compareAndSet(false, true)) {
            subscriber.onError(cause);
        }
        end.completeExceptionally(cause);
    }

    /** Cancels the wait. After the lease was delivered its taker has to release it. */
    @Override
    public void cancel() {
        if (settled.compareAndSet(false, true)) {
            signal.abort();
        }
    }

    Lease lease() {
        return Objects.requireNonNull(lease);
    }

    <T> Mono<T> watched(Mono<? extends T> work) {
        Mono<T> watched = work.<T>map(value -> value).doOnNext(value -> result = value);
        return options.isInterruptOnLoss() ? watched.takeUntilOther(loss()) : watched;
    }

    <T> Flux<T> watched(Flux<? extends T> work) {
        Flux<T> watched = work.map(value -> value);
        return options.isInterruptOnLoss() ? watched.takeUntilOther(loss()) : watched;
    }

    /** Completes when the lease is lost, which ends the body; the end of the call is the error then. */
    private Mono<Object> loss() {
        Sinks.Empty<Object> loss = Sinks.empty();
        lease().onLost(lost -> loss.tryEmitEmpty());
        return loss.asMono();
    }

    /** Releases; an error if the lease was lost, in an {@link EndFailure}. */
    Mono<@Nullable Object> complete() {
        body.complete(result);
        return Mono.fromFuture(end.copy()).onErrorMap(EndFailure::new);
    }

    /** Releases; the failure goes on by itself, with a loss as suppressed. */
    Mono<@Nullable Object> fail(Throwable failure) {
        body.completeExceptionally(failure);
        return Mono.fromFuture(end.copy()).onErrorResume(known -> Mono.empty());
    }

    /** Releases for a body that was cancelled. */
    Mono<@Nullable Object> cancelled() {
        return fail(new CancellationException());
    }
}
