package dev.syncguard.internal;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Releases a lease at the end of a block: quietly, within a bound, and whatever the store does. */
final class LeaseDisposal extends LeaseRelease {

    private static final AtomicIntegerFieldUpdater<LeaseDisposal> REPORTED =
            AtomicIntegerFieldUpdater.newUpdater(LeaseDisposal.class, "reported");

    private volatile int reported;

    LeaseDisposal(LeaseLoss loss) {
        super(loss);
    }

    /**
     * Never throws and waits within its bound. A release with an unknown outcome is tried once more; what fails then goes on in
     * the background.
     */
    void close() {
        Duration limit = loss.context.disposeTimeout();
        try {
            if (limit != null) {
                closeWithin(limit);
            } else if (!isRepeating()) {
                releaseTwice();
            }
        } catch (Throwable e) {
            report(translate(e));
        }
    }

    private void releaseTwice() {
        try {
            release(Try.FIRST_OF_CLOSE);
        } catch (RuntimeException | Error e) {
            if (isRepeating()) {
                throw e;
            }
            release(Try.LAST_OF_CLOSE);
        }
    }

    private void closeWithin(Duration limit) {
        if (!Waits.untilDone(closeAsync(), limit.toNanos())) {
            report(new LockException(
                    Code.NETWORK_TIMEOUT,
                    "the release took longer than the dispose timeout; it goes on in the background",
                    null,
                    true));
        }
    }

    /** Closes without a blocked thread; completes when that is done, never with a failure. */
    CompletableFuture<Boolean> closeAsync() {
        if (isRepeating()) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        closeAsync(Try.FIRST_OF_CLOSE, closed);
        return closed;
    }

    private void closeAsync(Try how, CompletableFuture<Boolean> closed) {
        Stages.whenDone(releaseAsync(how), (released, failure) -> {
            if (failure == null) {
                closed.complete(released);
            } else if (how == Try.FIRST_OF_CLOSE && !isRepeating()) {
                closeAsync(Try.LAST_OF_CLOSE, closed);
            } else {
                try {
                    report(translate(failure));
                } finally {
                    closed.complete(false);
                }
            }
        });
    }

    private void report(LockException failure) {
        if (reported == 0 && REPORTED.compareAndSet(this, 0, 1)) {
            loss.context.events().disposalFailed(loss.state, failure.about(loss.state.key(), loss.state.lockId()));
        }
    }
}
