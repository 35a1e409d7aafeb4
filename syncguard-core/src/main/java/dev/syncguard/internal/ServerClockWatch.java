package dev.syncguard.internal;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the store's clock jumped (decision T5). Each grant and extension tells the store's time; what it gains or
 * loses against this process's clock by more than half a second is a jump. Costs no request and no thread.
 */
final class ServerClockWatch {

    private static final long MILLI = 1_000_000;
    private static final long JUMP_MS = 500;
    private static final long DRIFT_MS = 100; // clocks drift apart in days

    private final Reports reports;
    private final AtomicReference<@Nullable Range> expected = new AtomicReference<>();

    ServerClockWatch(Reports reports) {
        this.reports = reports;
    }

    /**
     * How far the store's clock is ahead of this process's, at least and at most.
     *
     * @param suspendedMs how much of this process's time it presumes to have been suspended
     */
    private record Range(long lowMs, long highMs, long suspendedMs) {

        boolean differs(Range other, long ms) {
            return lowMs > other.highMs + ms || highMs < other.lowMs - ms;
        }

        /** As the monotonic clock alone has it: what was taken for a suspension may be a time of day that was set. */
        Range monotonic() {
            return new Range(lowMs + suspendedMs, highMs + suspendedMs, 0);
        }
    }

    /** Takes the store's time, read between two times of this process. */
    void observe(long storeMs, long sentNanos, long receivedNanos, long suspendedNanos) {
        Range now =
                new Range(storeMs - receivedNanos / MILLI - 1, storeMs - sentNanos / MILLI + 1, suspendedNanos / MILLI);
        Range known = expected.get();
        if (known == null || known.suspendedMs != now.suspendedMs || now.differs(known, DRIFT_MS)) {
            boolean changed = expected.compareAndSet(known, now);
            if (changed && known != null && hasJumped(known, now)) {
                warn(now.lowMs > known.highMs ? now.lowMs - known.highMs : now.highMs - known.lowMs);
            }
        }
    }

    private static boolean hasJumped(Range known, Range now) {
        return now.differs(known, JUMP_MS) && now.monotonic().differs(known.monotonic(), JUMP_MS);
    }

    private void warn(long jump) {
        reports.warn("the store's clock jumped by about " + jump + " ms: locks "
                + (jump > 0 ? "expired early" : "last longer") + "; rely on fences, and synchronise it slowly");
    }
}
