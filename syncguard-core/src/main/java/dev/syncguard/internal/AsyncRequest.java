package dev.syncguard.internal;

import dev.syncguard.spi.AcquireOutcome;
import org.jspecify.annotations.Nullable;

/** A request of an acquire that blocks no thread; it can be called back until it is sent, and keeps its reply. */
final class AsyncRequest extends SendGate {

    private volatile @Nullable Object reply;

    void answered(@Nullable AcquireOutcome outcome, @Nullable Throwable failure) {
        reply = failure == null ? outcome : failure;
    }

    /** Returns an outcome or a failure, without an object around it; null before there is one. */
    @Nullable
    Object reply() {
        return reply;
    }
}
