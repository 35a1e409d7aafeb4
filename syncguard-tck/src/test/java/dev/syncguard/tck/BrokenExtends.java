package dev.syncguard.tck;

import static dev.syncguard.tck.Broken.broken;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.Ttl;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Backends that get extend wrong. */
final class BrokenExtends {

    private BrokenExtends() {}

    static Stream<Broken> all() {
        return Stream.of(
                broken("extend adds to the time that is left", Adds::new, "EXT-1"),
                broken("extend revives a lock that ended long ago", Revives::new, "EXT-2"),
                broken("extend has a tolerance", Tolerant::new, "EXT-2"),
                broken("extend does not check the owner", NoOwnerCheck::new, "EXT-3"),
                broken("extend resets the time of the grant", ResetsGrant::new, "EXT-4"),
                broken("extend brings back a lock that was released", BringsBack::new, "EXT-5"));
    }

    private static final class Adds extends SmallBackend {
        Adds(SmallStore store) {
            super(store);
        }

        @Override
        StoredLock extended(StoredLock own, Ttl ttl, long now) {
            return SmallStore.endingAt(own, own.expiresAtMs() + ttl.millis());
        }
    }

    private static final class Revives extends SmallBackend {
        Revives(SmallStore store) {
            super(store);
        }

        @Override
        boolean isExtendable(StoredLock own, long now) {
            return true;
        }
    }

    private static final class Tolerant extends SmallBackend {
        Tolerant(SmallStore store) {
            super(store);
        }

        @Override
        boolean isExtendable(StoredLock own, long now) {
            return Liveness.isLive(own.expiresAtMs(), now);
        }
    }

    private static final class NoOwnerCheck extends SmallBackend {
        NoOwnerCheck(SmallStore store) {
            super(store);
        }

        @Override
        boolean mayExtend(StoredLock lock, LockId lockId) {
            return true;
        }
    }

    private static final class BringsBack extends SmallBackend {
        private final Map<LockId, StoredLock> released = new ConcurrentHashMap<>();

        BringsBack(SmallStore store) {
            super(store);
        }

        @Override
        void remove(String name, StoredLock lock) {
            super.remove(name, lock);
            released.put(lock.lockId(), lock);
        }

        @Override
        public ExtendOutcome extend(LockId lockId, Ttl ttl, AbortSignal signal) {
            StoredLock lock = released.get(lockId);
            if (lock != null) {
                synchronized (store) {
                    store.put(store.name(lock.key()), lock);
                }
            }
            return super.extend(lockId, ttl, signal);
        }
    }

    private static final class ResetsGrant extends SmallBackend {
        ResetsGrant(SmallStore store) {
            super(store);
        }

        @Override
        StoredLock extended(StoredLock own, Ttl ttl, long now) {
            return new StoredLock(own.key(), own.lockId(), now, now + ttl.millis(), own.fence());
        }
    }
}
