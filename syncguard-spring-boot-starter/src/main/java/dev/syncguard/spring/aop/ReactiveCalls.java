package dev.syncguard.spring.aop;

import dev.syncguard.Lease;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Methods that are done when their publisher terminates. Each subscription takes the lock, and calls the method, anew. */
final class ReactiveCalls {

    private ReactiveCalls() {}

    /** Its value comes when the lock was released without a loss. */
    static Mono<Object> mono(Call call) {
        return flux(call).singleOrEmpty();
    }

    static Flux<Object> flux(Call call) {
        return Flux.defer(() -> {
                    AtomicReference<@Nullable Lease> lease = new AtomicReference<>();
                    return Flux.usingWhen(
                                    acquire(call).doOnNext(lease::set),
                                    held -> proceed(call, held),
                                    ReactiveCalls::release,
                                    (held, failure) -> releaseFailed(call, held),
                                    ReactiveCalls::release)
                            .concatWith(Mono.fromRunnable(() -> refuseLost(lease.get())));
                })
                .onErrorResume(NotGranted.class, refusal -> refused(call, refusal));
    }

    private static Mono<Lease> acquire(Call call) {
        return Mono.fromFuture(() ->
                        call.guard().async().acquire(call.key(), call.options()).toCompletableFuture())
                .onErrorMap(NotGranted::new);
    }

    /** The lease is also in the context of the subscriber, because a publisher may go on on any thread. */
    @SuppressWarnings("unchecked") // of a publisher that only hands out what it is asked for
    private static Flux<Object> proceed(Call call, Lease lease) {
        return Flux.defer(() -> {
                    try {
                        Object result = call.proceedElsewhere(lease);
                        return result == null ? Flux.empty() : (Publisher<Object>) result;
                    } catch (Throwable e) {
                        return Flux.error(e);
                    }
                })
                .contextWrite(context -> context.put(Lease.class, lease));
    }

    private static Mono<Void> release(Lease lease) {
        return Mono.fromCompletionStage(lease::closeAsync).then();
    }

    /** A lock that was lost is an error, as it is everywhere: another holder may have been at work. */
    private static void refuseLost(@Nullable Lease lease) {
        if (lease != null && lease.wasLost()) {
            lease.ensureValid();
        }
    }

    private static Mono<Void> releaseFailed(Call call, Lease lease) {
        if (call.options().isReleaseOnFailure()) {
            lease.waiveHoldAtLeast();
        }
        return Mono.fromCompletionStage(lease::closeAsync).then();
    }

    private static Publisher<Object> refused(Call call, NotGranted refusal) {
        Throwable failure = refusal.failure();
        if (!call.locked().isHandlingContention() || !call.locked().isContention(failure)) {
            return Mono.error(failure);
        }
        return Flux.defer(() -> contended(call));
    }

    @SuppressWarnings("unchecked") // the fallback has the type of the method
    private static Publisher<Object> contended(Call call) {
        try {
            Object result = call.contended();
            return result == null ? Flux.empty() : (Publisher<Object>) result;
        } catch (Throwable e) {
            return Flux.error(e);
        }
    }

    /** Tells a lock that was not granted from any failure of the method. */
    private static final class NotGranted extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NotGranted(Throwable cause) {
            super(null, cause, false, false);
        }

        Throwable failure() {
            @Nullable Throwable cause = getCause();
            return cause == null ? this : cause;
        }
    }
}
