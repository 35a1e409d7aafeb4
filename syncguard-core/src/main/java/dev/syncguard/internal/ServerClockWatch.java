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
    private static final long DRIFT_MS = 100;

    private final Reports reports;
    private final AtomicReference<@Nullable Range> expected = new AtomicReference<>();

    ServerClockWatch(Reports reports) {
        this.reports = reports;
    }

    /** How far the store's clock is ahead of this process's, at least and at most. */
    private record Range(long lowMs, long highMs) {}

    /** Takes the store's time, read between two times of this process. */
    void observe(long storeMs, long sentNanos, long receivedNanos) {
        long low = storeMs - receivedNanos / MILLI - 1;
        long high = storeMs - sentNanos / MILLI + 1;
        Range known = expected.get();
        if (known != null && low <= known.highMs + JUMP_MS && high >= known.lowMs - JUMP_MS) {
            if (low > known.highMs + DRIFT_MS || high < known.lowMs - DRIFT_MS) {
                expected.compareAndSet(known, new Range(low, high)); // clocks drift apart in days
            }
            return;
        }
        if (expected.compareAndSet(known, new Range(low, high)) && known != null) {
            long jump = low > known.highMs ? low - known.highMs : high - known.lowMs;
            reports.warn("the store's clock jumped by about " + jump + " ms: locks "
                    + (jump > 0 ? "expired early" : "last longer") + "; rely on fences, and synchronise it slowly");
        }
    }
}
