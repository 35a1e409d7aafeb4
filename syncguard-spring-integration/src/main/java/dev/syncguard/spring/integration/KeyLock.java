package dev.syncguard.spring.integration;

import dev.syncguard.Lease;
import dev.syncguard.locks.LeaseLock;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A key that threads of this process have or want: first the local lock, which counts, then that of the store. */
final class KeyLock {

    final ReentrantLock local = new ReentrantLock();

    /** How many calls have it or want it; guarded by the registry's map. */
    int users;

    /** What the thread with the local lock has in the store. */
    @Nullable
    LeaseLock stored;

    Lease lease() {
        return Objects.requireNonNull(stored).lease();
    }
}
