package dev.syncguard.tck;

import static dev.syncguard.tck.Broken.broken;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Backends that get release wrong. */
final class BrokenReleases {

    private BrokenReleases() {}

    static Stream<Broken> all() {
        return Stream.of(
                broken("release does not check the owner", NoOwnerCheck::new, "REL-2"),
                broken("release succeeds again and again", SucceedsTwice::new, "REL-3"),
                broken("release looks, then deletes", NotAtomic::new, "REL-3"),
                broken(
                        "release deletes the counter, so that fences start again",
                        DeletesCounter::new,
                        "REL-4",
                        "FNC-1",
                        "HND-2"),
                broken("an unknown lock id is said to have ended", UnknownHasEnded::new, "REL-5", "HND-6"),
                broken("release of an ended lock succeeds", ReleasesEnded::new, "REL-6"),
                broken("release has no tolerance", NoTolerance::new, "REL-7"));
    }

    private static final class NoOwnerCheck extends SmallBackend {
        NoOwnerCheck(SmallStore store) {
            super(store);
        }

        @Override
        boolean mayRelease(StoredLock lock, LockId lockId) {
            return true;
        }
    }

    private static final class SucceedsTwice extends SmallBackend {
        private final Set<LockId> released = ConcurrentHashMap.newKeySet();

        SucceedsTwice(SmallStore store) {
            super(store);
        }

        @Override
        public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
            ReleaseOutcome outcome = super.release(request, signal);
            if (outcome == ReleaseOutcome.RELEASED) {
                released.add(request.lockId());
            }
            return released.contains(request.lockId()) ? ReleaseOutcome.RELEASED : outcome;
        }
    }

    private static final class NotAtomic extends SmallBackend {
        NotAtomic(SmallStore store) {
            super(store);
        }

        @Override
        public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
            boolean held = findById(request.lockId(), signal).isPresent();
            Broken.hesitate();
            ReleaseOutcome outcome = super.release(request, signal);
            return held ? ReleaseOutcome.RELEASED : outcome;
        }
    }

    private static final class DeletesCounter extends SmallBackend {
        DeletesCounter(SmallStore store) {
            super(store);
        }

        @Override
        void remove(String name, StoredLock lock) {
            super.remove(name, lock);
            store.counters.remove(name);
        }
    }

    private static final class UnknownHasEnded extends SmallBackend {
        UnknownHasEnded(SmallStore store) {
            super(store);
        }

        @Override
        public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
            ReleaseOutcome outcome = super.release(request, signal);
            return outcome == ReleaseOutcome.NOT_FOUND ? ReleaseOutcome.EXPIRED : outcome;
        }
    }

    private static final class ReleasesEnded extends SmallBackend {
        ReleasesEnded(SmallStore store) {
            super(store);
        }

        @Override
        boolean isReleasable(StoredLock own, long now) {
            return true;
        }
    }

    private static final class NoTolerance extends SmallBackend {
        NoTolerance(SmallStore store) {
            super(store);
        }

        @Override
        boolean isReleasable(StoredLock own, long now) {
            return Liveness.isStrictlyLive(own.expiresAtMs(), now);
        }
    }
}
