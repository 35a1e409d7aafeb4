package dev.syncguard.opentelemetry;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.LeaseEvent;
import dev.syncguard.telemetry.LockObserver;
import dev.syncguard.telemetry.StoreOperation;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Makes spans of what it sees. Only hashes leave the process: no exception is recorded, as its causes may name a raw key. */
final class LockSpans implements LockObserver {

    private static final AttributeKey<String> KEY_HASH = AttributeKey.stringKey("syncguard.key.hash");
    private static final AttributeKey<String> FENCE = AttributeKey.stringKey("syncguard.fence");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("syncguard.outcome");
    private static final AttributeKey<Boolean> WAITED = AttributeKey.booleanKey("syncguard.waited");
    private static final AttributeKey<Double> MARGIN = AttributeKey.doubleKey("syncguard.lease.margin");
    private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

    /** What is known of an acquire until its lease is held: the caller's context, of which both are children. */
    private record Acquiring(Context caller, Span span) {}

    private final Tracer tracer;
    private final Map<LockId, Acquiring> acquires = new ConcurrentHashMap<>();
    private final Map<LockId, Span> holds = new ConcurrentHashMap<>();
    private final Map<LockKey, Span> holders = new ConcurrentHashMap<>();

    LockSpans(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public void onOperation(StoreOperation operation) {
        // Drivers have instrumentations of their own.
    }

    @Override
    public void onAcquire(LockKey key, LockId lockId) {
        Context caller = Context.current();
        SpanBuilder acquire = span("syncguard acquire", key, caller);
        Span holder = holders.get(key);
        if (holder != null) {
            acquire.addLink(holder.getSpanContext());
        }
        acquires.put(lockId, new Acquiring(caller, acquire.startSpan()));
    }

    @Override
    public void onLeaseEvent(LeaseEvent event) {
        LockId lockId = event.lockId();
        if (lockId == null) {
            return;
        }
        switch (event.type()) {
            case WAITED -> waited(acquires.get(lockId));
            case GRANTED -> granted(event, lockId);
            case NOT_GRANTED -> notGranted(acquires.remove(lockId), event.failure());
            case RENEWED -> renewed(holds.get(lockId), event.failure());
            case RELEASED -> released(event, lockId);
            case RELEASE_FAILED -> over(event, lockId, "release-failed");
            case LOST -> over(event, lockId, "lost");
        }
    }

    private static void waited(@Nullable Acquiring acquire) {
        if (acquire != null) {
            acquire.span().setAttribute(WAITED, true);
        }
    }

    private void granted(LeaseEvent event, LockId lockId) {
        Acquiring acquire = acquires.remove(lockId);
        if (acquire == null) {
            return;
        }
        SpanBuilder builder = span("syncguard hold", event.key(), acquire.caller())
                .addLink(acquire.span().getSpanContext());
        if (event.fence() != null) {
            String fence = event.fence().toString();
            acquire.span().setAttribute(FENCE, fence);
            builder.setAttribute(FENCE, fence);
        }
        end(acquire.span(), "granted", null);
        Span hold = builder.startSpan();
        holds.put(lockId, hold);
        holders.put(event.key(), hold);
    }

    private static void notGranted(@Nullable Acquiring acquire, @Nullable LockException failure) {
        if (acquire == null) {
            return;
        }
        if (failure == null || failure.code() == Code.ACQUISITION_TIMEOUT) {
            end(acquire.span(), "contended", null);
        } else {
            end(acquire.span(), "failed", failure);
        }
    }

    /** Only what went wrong: a lease that is held for a day is renewed thousands of times. */
    private static void renewed(@Nullable Span hold, @Nullable LockException failure) {
        if (hold != null && failure != null) {
            hold.addEvent(
                    "syncguard renewal failed",
                    Attributes.of(ERROR_TYPE, failure.code().specName()));
        }
    }

    private void released(LeaseEvent event, LockId lockId) {
        Span hold = holds.get(lockId);
        if (hold != null) {
            hold.setAttribute(MARGIN, event.remainingShare());
        }
        over(event, lockId, "released");
    }

    private void over(LeaseEvent event, LockId lockId, String outcome) {
        Span hold = holds.remove(lockId);
        if (hold != null) {
            holders.remove(event.key(), hold);
            end(hold, outcome, event.failure());
        }
    }

    private SpanBuilder span(String name, LockKey key, Context parent) {
        return tracer.spanBuilder(name).setParent(parent).setAttribute(KEY_HASH, key.hash());
    }

    private static void end(Span span, String outcome, @Nullable LockException failure) {
        span.setAttribute(OUTCOME, outcome);
        if (failure != null) {
            span.setAttribute(ERROR_TYPE, failure.code().specName());
            String message = failure.getMessage();
            span.setStatus(StatusCode.ERROR, message == null ? "" : message);
        }
        span.end();
    }
}
