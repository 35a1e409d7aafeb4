package dev.syncguard.telemetry;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ReleaseRequest;
import org.jspecify.annotations.Nullable;

/** What an operation is about. */
record Subject(
        LockEvent.Type type,
        @Nullable LockKey key,
        @Nullable LockId lockId) {

    static Subject of(AcquireRequest request) {
        return new Subject(LockEvent.Type.ACQUIRE, request.key(), request.lockId());
    }

    static Subject of(ReleaseRequest request) {
        return new Subject(LockEvent.Type.RELEASE, request.key(), request.lockId());
    }

    static Subject of(ExtendRequest request) {
        return new Subject(LockEvent.Type.EXTEND, request.key(), request.lockId());
    }

    static Subject isLocked(LockKey key) {
        return new Subject(LockEvent.Type.IS_LOCKED, key, null);
    }

    static Subject lookup(LockKey key) {
        return new Subject(LockEvent.Type.LOOKUP, key, null);
    }

    static Subject lookup(LockId lockId) {
        return new Subject(LockEvent.Type.LOOKUP, null, lockId);
    }
}
