package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.FenceMode;
import dev.syncguard.spi.FirestoreNames;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;

/** Settings of a {@link FirestoreLockBackend}. The defaults are right for most. */
public final class FirestoreLockBackendBuilder {

    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(5);

    final Firestore firestore;
    String locks = "locks";
    String counters = "fence_counters";
    FenceMode fenceMode = FenceMode.COUNTER;
    Duration commandTimeout = Duration.ofSeconds(5);
    Duration clockLimit = FirestoreClock.WIDEST_LIMIT;
    InstantSource clock = Clock.systemUTC();
    boolean cleanupInIsLocked;

    FirestoreLockBackendBuilder(Firestore firestore) {
        if (firestore == null) {
            throw invalid("a backend needs a Firestore client");
        }
        this.firestore = firestore;
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
     * @param commandTimeout 5 seconds if not set; 10 ms to 5 minutes
     * @return this
     */
    public FirestoreLockBackendBuilder commandTimeout(Duration commandTimeout) {
        if (commandTimeout.toMillis() < 10 || commandTimeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw invalid("a command timeout is 10 ms to 5 minutes");
        }
        this.commandTimeout = commandTimeout;
        return this;
    }

    /**
     * Sets how the next fence is found. The time of {@link FenceMode#TIME_FLOORED} is Firestore's own.
     *
     * @param fenceMode {@link FenceMode#COUNTER} if not set
     * @return this
     */
    public FirestoreLockBackendBuilder fenceMode(FenceMode fenceMode) {
        this.fenceMode = fenceMode;
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
        if (clockLimit.toMillis() < 1 || clockLimit.compareTo(FirestoreClock.WIDEST_LIMIT) > 0) {
            throw invalid("the limit for the clock is 1 ms to 500 ms");
        }
        this.clockLimit = clockLimit;
        return this;
    }

    /**
     * Lets {@code isLocked} delete the document of a lock that ended more than 2 seconds ago, in the background. Fence
     * counters are never deleted. Without this, such a document stays until its key is locked again.
     *
     * @param cleanup false if not set: isLocked then changes nothing
     * @return this
     */
    public FirestoreLockBackendBuilder cleanupInIsLocked(boolean cleanup) {
        this.cleanupInIsLocked = cleanup;
        return this;
    }

    /** For tests. */
    FirestoreLockBackendBuilder clock(InstantSource source) {
        this.clock = source;
        return this;
    }

    /**
     * Makes the backend. Nothing is sent yet.
     *
     * @return the backend
     */
    public FirestoreLockBackend build() {
        return new FirestoreLockBackend(this);
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
