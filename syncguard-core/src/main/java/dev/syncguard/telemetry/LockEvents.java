package dev.syncguard.telemetry;

import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.spi.LeaseEvent;
import dev.syncguard.telemetry.LockEvent.Reason;
import dev.syncguard.telemetry.LockEvent.Result;
import dev.syncguard.telemetry.LockEvent.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns operations and the life of leases into events. */
final class LockEvents implements LockObserver {

    private static final Set<LockEvent.Type> NEVER_GOOD =
            EnumSet.of(LockEvent.Type.NOT_GRANTED, LockEvent.Type.RELEASE_FAILED, LockEvent.Type.LOST);

    private final EventQueue queue;
    private final Identifiers identifiers;

    LockEvents(EventQueue queue, Identifiers identifiers) {
        this.queue = queue;
        this.identifiers = identifiers;
    }

    @Override
    public void onOperation(StoreOperation operation) {
        long timeMs = System.currentTimeMillis();
        queue.send(() -> identifiers
                .set(LockEvent.builder(operation.type(), operation.result()), operation.key(), operation.lockId())
                .time(Instant.ofEpochMilli(timeMs))
                .reason(operation.reason())
                .errorCode(operation.errorCode())
                .duration(Duration.ofNanos(operation.nanos()))
                .build());
    }

    @Override
    public void onLeaseEvent(LeaseEvent event) {
        long timeMs = System.currentTimeMillis();
        queue.send(() -> translate(event, timeMs));
    }

    private LockEvent translate(LeaseEvent event, long timeMs) {
        LockEvent.Type type = type(event.type());
        LockException failure = event.failure();
        boolean bad = failure != null || NEVER_GOOD.contains(type);
        LockEventBuilder builder = LockEvent.builder(type, bad ? Result.FAIL : Result.OK)
                .time(Instant.ofEpochMilli(timeMs))
                .duration(Duration.ofNanos(event.nanos()));
        identifiers.set(builder, event.key(), event.lockId()).fence(event.fence());
        if (type == LockEvent.Type.NOT_GRANTED && failure == null) {
            builder.reason(Reason.LOCKED);
        }
        if (type == LockEvent.Type.RELEASED || type == LockEvent.Type.RENEWED) {
            builder.remainingShare(event.remainingShare());
        }
        if (type == LockEvent.Type.RELEASE_FAILED) {
            builder.source(event.disposal() ? Source.DISPOSAL : Source.RELEASE);
        }
        return (type == LockEvent.Type.LOST ? lost(builder, failure) : failed(builder, failure)).build();
    }

    private static LockEventBuilder failed(LockEventBuilder builder, @Nullable LockException failure) {
        return builder.errorCode(failure == null ? null : failure.code());
    }

    /** The loss itself has no code of the store; what kept it from being renewed has. */
    private static LockEventBuilder lost(LockEventBuilder builder, @Nullable LockException failure) {
        if (failure instanceof LeaseLostException loss) {
            builder.loss(loss.reason());
        }
        return failed(builder, failure != null && failure.getCause() instanceof LockException cause ? cause : null);
    }

    private static LockEvent.Type type(LeaseEvent.Type type) {
        return switch (type) {
            case WAITED -> LockEvent.Type.WAITED;
            case GRANTED -> LockEvent.Type.GRANTED;
            case NOT_GRANTED -> LockEvent.Type.NOT_GRANTED;
            case RENEWED -> LockEvent.Type.RENEWED;
            case RELEASED -> LockEvent.Type.RELEASED;
            case RELEASE_FAILED -> LockEvent.Type.RELEASE_FAILED;
            case LOST -> LockEvent.Type.LOST;
        };
    }
}
