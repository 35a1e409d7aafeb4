package dev.syncguard.tck;

import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.LockListing.Page;
import dev.syncguard.spi.ReleaseOutcome;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;

/** The operations of a backend on a key that is held; each tells whether it did what it is for. */
enum Operation {
    ACQUIRE {
        @Override
        boolean run(LockBackend backend, LockKey key, LockId held, AbortSignal signal) {
            LockKey free = Rules.newKey();
            AcquireRequest request = new AcquireRequest(free, backend.newLockId(free), Rules.HOUR, false);
            return backend.acquire(request, signal) instanceof Granted;
        }
    },
    RELEASE {
        @Override
        boolean run(LockBackend backend, LockKey key, LockId held, AbortSignal signal) {
            return backend.release(held, signal) == ReleaseOutcome.RELEASED;
        }
    },
    EXTEND {
        @Override
        boolean run(LockBackend backend, LockKey key, LockId held, AbortSignal signal) {
            return backend.extend(held, Rules.HOUR, signal) instanceof Extended;
        }
    },
    IS_LOCKED {
        @Override
        boolean run(LockBackend backend, LockKey key, LockId held, AbortSignal signal) {
            return backend.isLocked(key, signal);
        }
    },
    FIND_BY_KEY {
        @Override
        boolean run(LockBackend backend, LockKey key, LockId held, AbortSignal signal) {
            return backend.findByKey(key, signal).isPresent();
        }
    },
    FIND_BY_ID {
        @Override
        boolean run(LockBackend backend, LockKey key, LockId held, AbortSignal signal) {
            return backend.findById(held, signal).isPresent();
        }
    },
    RAISE_FENCE {
        @Override
        boolean run(LockBackend backend, LockKey key, LockId held, AbortSignal signal) {
            return backend.raiseFence(key, new Fence(4711), signal).value() >= 4711;
        }
    },
    LIST {
        @Override
        boolean run(LockBackend backend, LockKey key, LockId held, AbortSignal signal) {
            LockListing listing = backend.listing().orElseGet(() -> Assumptions.abort("this backend lists no locks"));
            Page page = listing.list(Optional.empty(), 10, signal);
            return !page.locks().isEmpty() || page.next().isPresent();
        }
    };

    /** Those that every backend has. */
    static final Set<Operation> ON_ONE_LOCK = Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(LIST)));

    abstract boolean run(LockBackend backend, LockKey key, LockId held, AbortSignal signal);
}
