package dev.syncguard.telemetry;

import dev.syncguard.Fence;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.spi.support.Settings;
import dev.syncguard.telemetry.LockEvent.Reason;
import dev.syncguard.telemetry.LockEvent.Result;
import dev.syncguard.telemetry.LockEvent.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Creates a {@link LockEvent}, see {@link LockEvent#builder}. Null means absent. */
public final class LockEventBuilder {

    private final LockEvent.Type type;
    private final Result result;
    private Instant time = Instant.EPOCH;
    private @Nullable String keyHash;
    private @Nullable String lockIdHash;
    private @Nullable Reason reason;
    private LockException.@Nullable Code errorCode;
    private LeaseLostException.@Nullable Reason loss;
    private @Nullable Source source;
    private Duration duration = Duration.ZERO;
    private OptionalDouble remainingShare = OptionalDouble.empty();
    private @Nullable Fence fence;
    private @Nullable String key;
    private @Nullable LockId lockId;

    LockEventBuilder(LockEvent.Type type, Result result) {
        this.type = Settings.required("type", type);
        this.result = Settings.required("result", result);
    }

    LockEventBuilder(LockEvent event) {
        this(event.type(), event.result());
        time = event.time();
        keyHash = event.keyHash().orElse(null);
        lockIdHash = event.lockIdHash().orElse(null);
        reason = event.reason().orElse(null);
        errorCode = event.errorCode().orElse(null);
        loss = event.loss().orElse(null);
        source = event.source().orElse(null);
        duration = event.duration();
        remainingShare = event.remainingShare();
        fence = event.fence().orElse(null);
        key = event.key().orElse(null);
        lockId = event.lockId().orElse(null);
    }

    /**
     * Sets when it ended; the epoch if not set.
     *
     * @param time the time
     * @return this builder
     */
    public LockEventBuilder time(Instant time) {
        this.time = Settings.required("time", time);
        return this;
    }

    /**
     * Sets the hash of the key.
     *
     * @param hash the hash
     * @return this builder
     */
    public LockEventBuilder keyHash(@Nullable String hash) {
        this.keyHash = hash;
        return this;
    }

    /**
     * Sets the hash of the lock id.
     *
     * @param hash the hash
     * @return this builder
     */
    public LockEventBuilder lockIdHash(@Nullable String hash) {
        this.lockIdHash = hash;
        return this;
    }

    /**
     * Sets why an operation had no effect.
     *
     * @param reason the reason
     * @return this builder
     */
    public LockEventBuilder reason(@Nullable Reason reason) {
        this.reason = reason;
        return this;
    }

    /**
     * Sets how it failed.
     *
     * @param code the category
     * @return this builder
     */
    public LockEventBuilder errorCode(LockException.@Nullable Code code) {
        this.errorCode = code;
        return this;
    }

    /**
     * Sets how a loss was noticed.
     *
     * @param loss the reason of the loss
     * @return this builder
     */
    public LockEventBuilder loss(LeaseLostException.@Nullable Reason loss) {
        this.loss = loss;
        return this;
    }

    /**
     * Sets which kind of release failed.
     *
     * @param source the kind
     * @return this builder
     */
    public LockEventBuilder source(@Nullable Source source) {
        this.source = source;
        return this;
    }

    /**
     * Sets how long it took; zero if not set.
     *
     * @param duration the time
     * @return this builder
     */
    public LockEventBuilder duration(Duration duration) {
        this.duration = Settings.required("duration", duration);
        return this;
    }

    /**
     * Sets how much of the ttl was left.
     *
     * @param share from 0 to 1
     * @return this builder
     */
    public LockEventBuilder remainingShare(double share) {
        this.remainingShare = OptionalDouble.of(share);
        return this;
    }

    /**
     * Sets the fence.
     *
     * @param fence the fence
     * @return this builder
     */
    public LockEventBuilder fence(@Nullable Fence fence) {
        this.fence = fence;
        return this;
    }

    /**
     * Sets the raw key.
     *
     * @param key a secret of the application
     * @return this builder
     */
    public LockEventBuilder key(@Nullable String key) {
        this.key = key;
        return this;
    }

    /**
     * Sets the raw lock id.
     *
     * @param lockId a secret of the application
     * @return this builder
     */
    public LockEventBuilder lockId(@Nullable LockId lockId) {
        this.lockId = lockId;
        return this;
    }

    /**
     * Creates the event.
     *
     * @return what was set
     */
    public LockEvent build() {
        return new LockEvent(
                time,
                type,
                result,
                Optional.ofNullable(keyHash),
                Optional.ofNullable(lockIdHash),
                Optional.ofNullable(reason),
                Optional.ofNullable(errorCode),
                Optional.ofNullable(loss),
                Optional.ofNullable(source),
                duration,
                remainingShare,
                Optional.ofNullable(fence),
                Optional.ofNullable(key),
                Optional.ofNullable(lockId));
    }
}
