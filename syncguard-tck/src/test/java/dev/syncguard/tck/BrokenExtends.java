package dev.syncguard.tck;

import static dev.syncguard.tck.Broken.broken;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.StoredLock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Backends that get extend wrong. */
final class BrokenExtends {

    private BrokenExtends() {}

    static Stream<Broken> all() {
        return Stream.of(
                broken("extend adds to the time that is left", Adds::new, "EXT-1", "EXT-7", "EXT-9", "LSE-15"),
                broken("extend revives a lock that ended long ago", Revives::new, "EXT-2"),
                broken("extend has a tolerance", Tolerant::new, "EXT-2"),
                broken("extend does not check the owner", NoOwnerCheck::new, "EXT-3"),
                broken("extend resets the time of the grant", ResetsGrant::new, "EXT-4"),
                broken("extend brings back a lock that was released", BringsBack::new, "EXT-5"),
                broken("a renewal revives a lock that ended", RenewalRevives::new, "EXT-2"),
                broken("a renewal does not check the owner", RenewalOfAny::new, "EXT-3"),
                broken("a renewal can shorten", Shortens::new, "EXT-7"),
                broken("extend returns the expiry that was asked for", ReturnsWish::new, "EXT-8"),
                broken("extend returns the ttl as remaining time", ReturnsTtl::new, "EXT-8"),
                broken("a lock that was shortened blocks others until its old end", BlocksForOld::new, "EXT-9"));
    }

    private static final class Adds extends SmallBackend {
        Adds(SmallStore store) {
            super(store);
        }

        @Override
        StoredLock extended(StoredLock own, ExtendRequest request, long now) {
            return SmallStore.endingAt(own, own.expiresAtMs() + request.ttl().millis());
        }
    }

    private static final class Revives extends SmallBackend {
        Revives(SmallStore store) {
            super(store);
        }

        @Override
        boolean isExtendable(StoredLock own, ExtendRequest request, long now) {
            return true;
        }
    }

    private static final class Tolerant extends SmallBackend {
        Tolerant(SmallStore store) {
            super(store);
        }

        @Override
        boolean isExtendable(StoredLock own, ExtendRequest request, long now) {
            return Liveness.isLive(own.expiresAtMs(), now);
        }
    }

    private static final class NoOwnerCheck extends SmallBackend {
        NoOwnerCheck(SmallStore store) {
            super(store);
        }

        @Override
        boolean mayExtend(StoredLock lock, ExtendRequest request) {
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
        public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
            StoredLock lock = released.get(request.lockId());
            if (lock != null) {
                synchronized (store) {
                    store.put(store.name(lock.key()), lock);
                }
            }
            return super.extend(request, signal);
        }
    }

    private static final class ResetsGrant extends SmallBackend {
        ResetsGrant(SmallStore store) {
            super(store);
        }

        @Override
        StoredLock extended(StoredLock own, ExtendRequest request, long now) {
            long expiresAtMs = super.extended(own, request, now).expiresAtMs();
            boolean moved = expiresAtMs != own.expiresAtMs();
            return new StoredLock(
                    own.key(), own.lockId(), moved ? now : own.acquiredAtMs(), expiresAtMs, own.fence(), own.label());
        }
    }

    private static final class RenewalRevives extends SmallBackend {
        RenewalRevives(SmallStore store) {
            super(store);
        }

        @Override
        boolean isExtendable(StoredLock own, ExtendRequest request, long now) {
            return request.mode() == Mode.AT_LEAST || super.isExtendable(own, request, now);
        }
    }

    private static final class RenewalOfAny extends SmallBackend {
        RenewalOfAny(SmallStore store) {
            super(store);
        }

        @Override
        boolean mayExtend(StoredLock lock, ExtendRequest request) {
            return request.mode() == Mode.AT_LEAST || super.mayExtend(lock, request);
        }
    }

    private static final class Shortens extends SmallBackend {
        Shortens(SmallStore store) {
            super(store);
        }

        @Override
        StoredLock extended(StoredLock own, ExtendRequest request, long now) {
            return SmallStore.endingAt(own, now + request.ttl().millis());
        }
    }

    private static final class BlocksForOld extends SmallBackend {
        private final Map<LockId, Long> oldEnds = new ConcurrentHashMap<>();

        BlocksForOld(SmallStore store) {
            super(store);
        }

        @Override
        StoredLock extended(StoredLock own, ExtendRequest request, long now) {
            StoredLock extended = super.extended(own, request, now);
            if (extended.expiresAtMs() < own.expiresAtMs()) {
                oldEnds.put(own.lockId(), own.expiresAtMs());
            }
            return extended;
        }

        @Override
        boolean isRespected(StoredLock other, long now) {
            return super.isRespected(other, now) || now < oldEnds.getOrDefault(other.lockId(), 0L);
        }
    }

    private static final class ReturnsWish extends SmallBackend {
        ReturnsWish(SmallStore store) {
            super(store);
        }

        @Override
        Extended report(StoredLock extended, ExtendRequest request, long now) {
            return new Extended(now + request.ttl().millis(), request.ttl().millis());
        }
    }

    private static final class ReturnsTtl extends SmallBackend {
        ReturnsTtl(SmallStore store) {
            super(store);
        }

        @Override
        Extended report(StoredLock extended, ExtendRequest request, long now) {
            return new Extended(extended.expiresAtMs(), request.ttl().millis());
        }
    }
}
