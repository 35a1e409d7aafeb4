package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.ExtendResult;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.Ttl;
import dev.syncguard.spi.ExtendRequest.Mode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Puts the extensions of one lease one behind the other: of two under way the store might carry out the wrong one last. Each
 * waits for the one before it; {@link #last} is the end of that queue, and every turn is completed in a finally.
 */
abstract class ExtensionTurns {

    final LeaseContext context;
    final LeaseState state;
    private final AtomicReference<@Nullable CompletableFuture<Void>> last = new AtomicReference<>();

    ExtensionTurns(LeaseContext context, LeaseState state) {
        this.context = context;
        this.state = state;
    }

    /** Sends one request, and waits for its answer. */
    abstract ExtendResult ask(Ttl ttl, Mode mode);

    abstract CompletableFuture<ExtendResult> askAsync(Ttl ttl, Mode mode);

    final ExtendResult extend(Ttl ttl, Mode mode, AbortSignal signal) {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        CompletableFuture<Void> before = last.getAndSet(turn);
        try {
            if (before != null && !Waits.untilDone(before, 3 * context.store().commandTimeoutNanos())) {
                throw about(new LockException(Code.NETWORK_TIMEOUT, "another extension of this lease is not answered"));
            }
            signal.throwIfAborted();
            return ask(ttl, mode);
        } finally {
            end(turn, before);
        }
    }

    /** Ends a turn, but not before the one before it: the next would overtake that. */
    private static void end(CompletableFuture<Void> turn, @Nullable CompletableFuture<Void> before) {
        if (before == null || before.isDone()) {
            turn.complete(null);
        } else {
            Stages.whenDone(before, (done, failure) -> turn.complete(null));
        }
    }

    final CompletableFuture<ExtendResult> extendAsync(Ttl ttl, Mode mode, AbortSignal signal) {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        CompletableFuture<Void> before = last.getAndSet(turn);
        CompletableFuture<ExtendResult> asked = before == null || before.isDone()
                ? askAsync(ttl, mode)
                : before.thenComposeAsync(
                        done -> {
                            signal.throwIfAborted();
                            return askAsync(ttl, mode);
                        },
                        context.completion()::runOwn);
        return asked.whenComplete((result, failure) -> end(turn, before));
    }

    final LockException about(LockException failure) {
        return failure.about(state.key(), state.lockId());
    }
}
