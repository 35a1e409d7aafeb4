package dev.syncguard.telemetry;

import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * One operation on a store, as this process saw it. Raw: an observer sanitises what it passes on.
 *
 * @param type one of the {@linkplain LockEvent.Type#isOperation() operations}
 * @param key the key; null for a lookup by lock id, and for a release or an extension of a lock of another process
 * @param lockId the lock id; null for a question about a key
 * @param result whether it had the effect or the answer that its caller hoped for
 * @param reason why it had no effect, if the store said so
 * @param errorCode how it failed, if it did
 * @param nanos how long it took
 */
public record StoreOperation(
        LockEvent.Type type,
        @Nullable LockKey key,
        @Nullable LockId lockId,
        LockEvent.Result result,
        LockEvent.@Nullable Reason reason,
        LockException.@Nullable Code errorCode,
        long nanos) {}
