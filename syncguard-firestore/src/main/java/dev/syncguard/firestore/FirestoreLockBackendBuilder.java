package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.FenceMode;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.support.FirestoreNames;
import dev.syncguard.spi.support.Settings;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;

/** Settings of a {@link FirestoreLockBackend}. The defaults are right for most. */
public final class FirestoreLockBackendBuilder {

    private static final Duration NARROWEST_CLOCK_LIMIT = Duration.ofMillis(1);

    final Firestore firestore;
    String locks = "locks";
    String counters = "fence_counters";
    FenceMode fenceMode = FenceMode.COUNTER;
    Duration commandTimeout = Duration.ofSeconds(5);
    Duration clockLimit = FirestoreClock.WIDEST_LIMIT;
    InstantSource clock = Clock.systemUTC();
    boolean cleanupInIsLocked;
    boolean mixedFleet;
    boolean strict;

    FirestoreLockBackendBuilder(Firestore firestore) {
        FirestoreVersions.check(FirestoreVersions.present());
        this.firestore = Settings.required("firestore", firestore);
    }

    /**
     * Sets the collections. Services that shall see the same locks use the same ones. Both are at the top of the database.
     *
     * @param locks the collection of the locks; {@code locks} if not set
     * @param counters the collection of the fence counters, another one; {@code fence_counters} if not set. Nothing may
     *     ever delete a document there: no retention policy, no cleanup
     * @return this
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if a name is empty, a path, reserved, or both are the same
     */
    public FirestoreLockBackendBuilder collections(String locks, String counters) {
        checkName(locks);
        checkName(counters);
        if (locks.equals(counters)) {
            throw invalid("locks and fence counters need a collection each");
        }
        this.locks = locks;
        this.counters = counters;
        return this;
    }

    /**
     * Sets how long one operation may take, its repetitions after conflicts included.
     *
     * @param commandTimeout 10 ms to 10 minutes; 5 seconds if not set
     * @return this
     */
    public FirestoreLockBackendBuilder commandTimeout(Duration commandTimeout) {
        this.commandTimeout = Settings.commandTimeout(commandTimeout);
        return this;
    }

    /**
     * Sets how the next fence is found. The time of {@link FenceMode#TIME_FLOORED} is Firestore's own.
     *
     * @param fenceMode {@link FenceMode#COUNTER} if not set
     * @return this
     */
    public FirestoreLockBackendBuilder fenceMode(FenceMode fenceMode) {
        this.fenceMode = Settings.required("fenceMode", fenceMode);
        return this;
    }

    /**
     * Sets from which difference on a clock is refused. It can only be lowered: two clocks that are off by more, in
     * opposite directions, would let one client take what another one still holds.
     *
     * @param clockLimit 500 ms if not set; 1 ms to 500 ms
     * @return this
     */
    public FirestoreLockBackendBuilder clockLimit(Duration clockLimit) {
        this.clockLimit =
                Settings.between("clockLimit", clockLimit, NARROWEST_CLOCK_LIMIT, FirestoreClock.WIDEST_LIMIT);
        return this;
    }

    /**
     * Lets {@code isLocked} remove the lock of its key if that expired more than 2 seconds ago, in the background. Fence
     * counters are never removed. Without this, such a document stays until its key is locked again.
     *
     * @param cleanup false if not set: isLocked then changes nothing
     * @return this
     */
    public FirestoreLockBackendBuilder cleanupInIsLocked(boolean cleanup) {
        this.cleanupInIsLocked = cleanup;
        return this;
    }

    /**
     * Refuses keys with a {@code /}. Clients in other languages keep those in another document than this library, so both
     * would be granted the same key. Set this if such clients use the same collections; all other keys are safe anyway.
     *
     * @return this
     */
    public FirestoreLockBackendBuilder mixedFleet() {
        this.mixedFleet = true;
        return this;
    }

    /**
     * Looks at the store when the backend is built, and refuses one that breaks what a lock promises (a clock that is too
     * far off, missing permissions, no index on {@code lockId}) or does not answer. Otherwise weaknesses are warnings in
     * the log after the first acquire.
     *
     * @return this
     */
    public FirestoreLockBackendBuilder strict() {
        this.strict = true;
        return this;
    }

    /** For tests. */
    FirestoreLockBackendBuilder clock(InstantSource source) {
        this.clock = source;
        return this;
    }

    /**
     * Creates the backend. Without {@link #strict()} nothing is sent yet.
     *
     * @return the backend
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if the backend is strict and the store breaks the promise;
     *     with the store's own failure if it is strict and the store does not answer
     */
    public FirestoreLockBackend build() {
        FirestoreLockBackend backend = new FirestoreLockBackend(this);
        return strict ? backend.startCheck().strict(backend) : backend;
    }

    private static void checkName(String name) {
        if (name == null || !FirestoreNames.isLegal(name)) {
            throw invalid("the name of a collection is 1 to 1500 bytes without '/', not '.', '..' or '__x__'");
        }
    }

    private static LockException invalid(String message) {
        return new LockException(Code.INVALID_ARGUMENT, message);
    }
}
