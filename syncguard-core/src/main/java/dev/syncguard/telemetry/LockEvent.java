package dev.syncguard.telemetry;

import dev.syncguard.Fence;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One operation on a store, or one step in the life of a lease, as it was seen by this process.
 *
 * <p>An event of an {@linkplain Type#isOperation() operation} is the store's answer and nothing more: a {@code RELEASE} that
 * is {@code OK} does not say that the lease was valid until then. Whether leases hold is told by {@link Type#RELEASED} and
 * {@link Type#LOST}: each lease gives one of them at its end.
 *
 * @param time when it ended, by the clock of this process, in whole milliseconds
 * @param type what was done or what happened
 * @param result whether it had the effect or the answer that its caller hoped for
 * @param keyHash the hash of the key, if the key is known
 * @param lockIdHash the hash of the lock id, if there is one; of an acquire only if it was granted
 * @param reason why an operation had no effect, if the store said so
 * @param errorCode how the store or the wait failed, if it did; of a loss the last failure of its renewals
 * @param loss how a loss was noticed
 * @param source which kind of release failed
 * @param duration how long it took; for {@code RELEASED}, {@code RELEASE_FAILED} and {@code LOST} how long it was held
 * @param remainingShare how much of the ttl was left, from 0 to 1, for {@code RELEASED} and {@code RENEWED}
 * @param fence the fence of a {@code GRANTED}
 * @param key the raw key, only if {@code includeRaw} permits
 * @param lockId the raw lock id, only if {@code includeRaw} permits
 */
public record LockEvent(
        Instant time,
        Type type,
        Result result,
        Optional<String> keyHash,
        Optional<String> lockIdHash,
        Optional<Reason> reason,
        Optional<LockException.Code> errorCode,
        Optional<LeaseLostException.Reason> loss,
        Optional<Source> source,
        Duration duration,
        OptionalDouble remainingShare,
        Optional<Fence> fence,
        Optional<String> key,
        Optional<LockId> lockId) {

    /** What was done or what happened: the operations of the specification, and the life of leases. */
    public enum Type {
        /** A single attempt to get a lock. */
        ACQUIRE("acquire"),
        /** A release, as the store answered it. */
        RELEASE("release"),
        /** An extension, by hand or by a renewal, as the store answered it. */
        EXTEND("extend"),
        /** A question whether a key is locked; ok means that it is. */
        IS_LOCKED("isLocked"),
        /** A lookup by key or lock id; ok means that it was found. */
        LOOKUP("lookup"),
        /** An acquire that met contention ended, with a grant or with a failure. */
        WAITED("waited"),
        /** A lease was granted; its duration is the wait before it. */
        GRANTED("granted"),
        /** An acquire ended without a lease, also one that met no contention; its duration is all it took. */
        NOT_GRANTED("notGranted"),
        /** A renewal ended, with success or with a failure. */
        RENEWED("renewed"),
        /** The holder released a lease while it was valid; with {@code holdAtLeast} the store's answer before it is an {@code EXTEND}. */
        RELEASED("released"),
        /** A release failed; it is repeated in the background. */
        RELEASE_FAILED("releaseFailed"),
        /** A lease was lost before its holder released it: another client may have held the lock meanwhile. */
        LOST("lost");

        private final String specName;

        Type(String specName) {
            this.specName = specName;
        }

        /**
         * Returns the word of the specification, for example {@code isLocked}; events of leases follow its style.
         *
         * @return the name for dashboards
         */
        public String specName() {
            return specName;
        }

        /**
         * Returns whether this is an operation on the store, one of the five of the specification.
         *
         * @return false for a step in the life of a lease
         */
        public boolean isOperation() {
            return compareTo(LOOKUP) <= 0;
        }
    }

    /** How it went. */
    public enum Result {
        /** It had its effect. */
        OK("ok"),
        /** It had none, for a {@link Reason} or with an error. */
        FAIL("fail");

        private final String specName;

        Result(String specName) {
            this.specName = specName;
        }

        /**
         * Returns the word of the specification.
         *
         * @return {@code ok} or {@code fail}
         */
        public String specName() {
            return specName;
        }
    }

    /** Why an operation had no effect. */
    public enum Reason {
        /** Another client holds the key. */
        LOCKED("locked"),
        /** The lock had expired. */
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

    /** Which kind of release failed. */
    public enum Source {
        /** A release that the application called. */
        RELEASE("release"),
        /** The end of a lease's block: close, run or call. */
        DISPOSAL("disposal");

        private final String specName;

        Source(String specName) {
            this.specName = specName;
        }

        /**
         * Returns the word for dashboards.
         *
         * @return {@code release} or {@code disposal}
         */
        public String specName() {
            return specName;
        }
    }

    /**
     * Starts an event, for example for the test of a listener. What is not set is absent.
     *
     * @param type what happened
     * @param result how it went
     * @return a builder
     */
    public static LockEventBuilder builder(Type type, Result result) {
        return new LockEventBuilder(type, result);
    }

    /** Returns the event without raw identifiers. */
    LockEvent withoutRaw() {
        return new LockEventBuilder(this).key(null).lockId(null).build();
    }

    /** Returns a text that is safe to log, also if the event has raw identifiers. */
    @Override
    public String toString() {
        return "LockEvent[" + time + " " + type + " " + result
                + reason.map(r -> " " + r.specName()).orElse("")
                + errorCode.map(code -> " " + code.specName()).orElse("")
                + loss.map(how -> " " + how.specName()).orElse("")
                + source.map(kind -> " " + kind.specName()).orElse("")
                + keyHash.map(hash -> " key " + hash).orElse("")
                + lockIdHash.map(hash -> " lockId " + hash).orElse("") + " " + duration + "]";
    }
}
