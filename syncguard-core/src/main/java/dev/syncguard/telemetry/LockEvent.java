package dev.syncguard.telemetry;

import dev.syncguard.LockException;
import dev.syncguard.LockId;
import java.time.Duration;
import java.util.Optional;

/**
 * One operation on a store, as it was seen by this process.
 *
 * @param type what was done
 * @param result whether it had the effect or the answer that its caller hoped for
 * @param keyHash the hash of the key, if the operation had one
 * @param lockIdHash the hash of the lock id, if the operation had one; an acquire only if it was granted
 * @param reason why there was no effect, if the store said so
 * @param errorCode how the store failed, if it did
 * @param duration how long it took
 * @param key the raw key, only if {@code includeRaw} permits
 * @param lockId the raw lock id, only if {@code includeRaw} permits
 */
public record LockEvent(
        Type type,
        Result result,
        Optional<String> keyHash,
        Optional<String> lockIdHash,
        Optional<Reason> reason,
        Optional<LockException.Code> errorCode,
        Duration duration,
        Optional<String> key,
        Optional<LockId> lockId) {

    /** What was done. */
    public enum Type {
        /** A single attempt to get a lock. */
        ACQUIRE,
        /** A release. */
        RELEASE,
        /** An extension. */
        EXTEND,
        /** A question whether a key is locked; ok means that it is. */
        IS_LOCKED,
        /** A look-up by key or lock id; ok means that it was found. */
        LOOKUP
    }

    /** How it went. */
    public enum Result {
        /** It had its effect. */
        OK,
        /** It had none, for a {@link Reason} or with an error. */
        FAIL
    }

    /** Why an operation had no effect. */
    public enum Reason {
        /** Somebody else holds the key. */
        LOCKED("locked"),
        /** The lock had ended. */
        EXPIRED("expired"),
        /** There is no such lock. */
        NOT_FOUND("not-found");

        private final String specName;

        Reason(String specName) {
            this.specName = specName;
        }

        /**
         * Returns the word of the specification, for example {@code not-found}.
         *
         * @return the name in the specification
         */
        public String specName() {
            return specName;
        }
    }

    /** Returns the event without raw identifiers. */
    LockEvent withoutRaw() {
        return new LockEvent(
                type, result, keyHash, lockIdHash, reason, errorCode, duration, Optional.empty(), Optional.empty());
    }

    /** Returns a text that is safe to log, also if the event has raw identifiers. */
    @Override
    public String toString() {
        return "LockEvent[" + type + " " + result
                + reason.map(r -> " " + r.specName()).orElse("")
                + errorCode.map(code -> " " + code.specName()).orElse("")
                + keyHash.map(hash -> " key " + hash).orElse("")
                + lockIdHash.map(hash -> " lockId " + hash).orElse("") + " " + duration + "]";
    }
}
