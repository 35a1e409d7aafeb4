package dev.syncguard.faults.client;

import dev.syncguard.ExtendResult;
import dev.syncguard.Lease;
import dev.syncguard.LockId;
import dev.syncguard.LockOptions;
import dev.syncguard.faults.history.Line;
import dev.syncguard.spi.ExtendRequest.Mode;
import java.time.Duration;

/** A lease whose every step is written down. */
final class LoggedLease {

    private final Steps steps;
    private final Lease lease;
    private final String key;

    LoggedLease(Steps steps, Lease lease, Delivery delivery, String key, long number, LockOptions options) {
        this.steps = steps;
        this.lease = lease;
        this.key = key;
        Line line = steps.ok(delivery.at(), number, "acquire", key)
                .put("id", Steps.hash(lease.lockId()))
                .put("fence", lease.fence().toString())
                .put("until", delivery.at() + delivery.remaining())
                .put("took", delivery.took())
                .put("ttl", options.ttl().millis());
        steps.granted(options.isAutoExtend() ? line.put("how", "auto") : line);
        lease.onLost(loss -> steps.write(steps.line("lost")
                .put("key", key)
                .put("id", Steps.hash(lease.lockId()))
                .put("reason", loss.reason().name())
                .put("note", loss.getMessage())));
        steps.say(lease.getClass().getSimpleName() + " " + lease.lockId());
    }

    LockId id() {
        return lease.lockId();
    }

    String key() {
        return key;
    }

    String fence() {
        return lease.fence().toString();
    }

    Lease lease() {
        return lease;
    }

    /** Asks the lease whether it is valid; the time is the one before the question. */
    boolean believes() {
        long asked = System.nanoTime();
        boolean valid = lease.isValid();
        long before = System.nanoTime();
        Duration remaining = lease.remaining();
        steps.write(steps.lineAt(asked, "belief")
                .put("key", key)
                .put("id", Steps.hash(id()))
                .put("valid", valid)
                .put("until", before + remaining.toNanos()));
        return valid;
    }

    boolean extend(Duration ttl, Mode mode) {
        String how = mode == Mode.REPLACE ? "replace" : "at-least";
        long number = steps.begin("extend", key, id(), ttl.toMillis(), how);
        try {
            ExtendResult result = mode == Mode.REPLACE ? lease.extend(ttl) : lease.extendAtLeast(ttl);
            long now = System.nanoTime();
            steps.write(steps.ok(now, number, "extend", key)
                    .put("id", Steps.hash(id()))
                    .put("how", how)
                    .put("ttl", ttl.toMillis())
                    .put("extended", result.ok())
                    .put("until", now + lease.remaining().toNanos()));
            return result.ok();
        } catch (Throwable e) {
            steps.failed(number, "extend", key, id(), e);
            return false;
        }
    }

    void release() {
        long number = steps.begin("release", key, id(), 0, "lease");
        try {
            released(number, lease.release());
        } catch (Throwable e) {
            steps.failed(number, "release", key, id(), e);
        }
    }

    void releaseAsync() {
        long number = steps.begin("release", key, id(), 0, "async");
        try {
            released(number, LoggedGuard.await(lease.releaseAsync(), Duration.ZERO));
        } catch (Throwable e) {
            steps.failed(number, "release", key, id(), LoggedGuard.unwrapped(e));
        }
    }

    private void released(long number, boolean released) {
        steps.write(steps.ok(System.nanoTime(), number, "release", key)
                .put("id", Steps.hash(id()))
                .put("released", released));
    }

    /** As at the end of a try block: what became of it is not told. */
    void close() {
        long number = steps.begin("release", key, id(), 0, "close");
        lease.close();
        steps.write(steps.ok(System.nanoTime(), number, "release", key)
                .put("id", Steps.hash(id()))
                .put("how", "close"));
    }
}
