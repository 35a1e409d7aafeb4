package dev.syncguard.tck;

import static dev.syncguard.tck.Broken.broken;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Backends that get acquire wrong. */
final class BrokenAcquires {

    private BrokenAcquires() {}

    static Stream<Broken> all() {
        return Stream.of(
                broken("acquire looks, then writes", NotAtomic::new, "ACQ-1"),
                broken("acquire has no tolerance", NoTolerance::new, "ACQ-2"),
                broken("a repeated acquire is refused", NotIdempotent::new, "ACQ-3", "HND-2"),
                broken("a repeated acquire gets the full ttl", FullTtlAgain::new, "ACQ-3"),
                broken("a repeated acquire gets a new fence", NewFenceAgain::new, "ACQ-3", "HND-2"),
                broken("a lock id may hold two keys", TwoKeys::new, "ACQ-4"),
                broken("the expiry is computed with the client's clock", ClientClock::new, "ACQ-5"),
                broken("a refusal does not tell when to come back", NoGrantableTime::new, "ACQ-7"),
                broken("lock ids are counted up", CountedIds::new, "ACQ-8"),
                broken("lock ids look like options", OptionLikeIds::new, "ACQ-11"),
                broken("lock ids that look like options are refused", RefusesOptions::new, "ACQ-12"),
                broken("a refusal takes a fence", RefusalTakesFence::new, "ACQ-9"),
                broken("a repeated acquire is confirmed within the tolerance", ConfirmsInGreyZone::new, "ACQ-10"));
    }

    private static final class NotAtomic extends SmallBackend {
        NotAtomic(SmallStore store) {
            super(store);
        }

        @Override
        public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
            check(signal);
            boolean free = findByKey(request.key(), signal).isEmpty();
            Broken.hesitate();
            synchronized (store) {
                return free && store.index.get(request.lockId()) == null
                        ? grant(request, store.nowMs())
                        : super.acquire(request, signal);
            }
        }
    }

    private static final class NoTolerance extends SmallBackend {
        NoTolerance(SmallStore store) {
            super(store);
        }

        @Override
        boolean isRespected(StoredLock other, long now) {
            return Liveness.isStrictlyLive(other.expiresAtMs(), now);
        }
    }

    private static final class NotIdempotent extends SmallBackend {
        NotIdempotent(SmallStore store) {
            super(store);
        }

        @Override
        boolean isConfirmed(StoredLock own, long now) {
            return false;
        }
    }

    private static final class FullTtlAgain extends SmallBackend {
        FullTtlAgain(SmallStore store) {
            super(store);
        }

        @Override
        AcquireOutcome confirm(StoredLock own, AcquireRequest request, long now) {
            return new Granted(
                    own.lockId(), own.fence(), own.expiresAtMs(), request.ttl().millis());
        }
    }

    private static final class NewFenceAgain extends SmallBackend {
        NewFenceAgain(SmallStore store) {
            super(store);
        }

        @Override
        AcquireOutcome confirm(StoredLock own, AcquireRequest request, long now) {
            return grant(request, now);
        }
    }

    private static final class TwoKeys extends SmallBackend {
        TwoKeys(SmallStore store) {
            super(store);
        }

        @Override
        void checkHoldsNothingElse(LockId lockId, String name) {}
    }

    private static final class ClientClock extends SmallBackend {
        ClientClock(SmallStore store) {
            super(store);
        }

        @Override
        AcquireOutcome grant(AcquireRequest request, long now) {
            Granted granted = (Granted) super.grant(request, now);
            long expiresAtMs = System.currentTimeMillis() + request.ttl().millis();
            return new Granted(granted.lockId(), granted.fence(), expiresAtMs, granted.remainingMs());
        }
    }

    private static final class NoGrantableTime extends SmallBackend {
        NoGrantableTime(SmallStore store) {
            super(store);
        }

        @Override
        AcquireOutcome refuse(StoredLock other, AcquireRequest request, long now) {
            super.refuse(other, request, now);
            return new Refused(0);
        }
    }

    private static final class CountedIds extends SmallBackend {
        private static final AtomicLong COUNT = new AtomicLong();

        CountedIds(SmallStore store) {
            super(store);
        }

        @Override
        public LockId newLockId(LockKey key) {
            return LockId.parse("%022d".formatted(COUNT.incrementAndGet()));
        }
    }

    private static final class OptionLikeIds extends SmallBackend {
        OptionLikeIds(SmallStore store) {
            super(store);
        }

        @Override
        public LockId newLockId(LockKey key) {
            LockId drawn = super.newLockId(key);
            return drawn.value().charAt(1) < 'C'
                    ? LockId.parse("-" + drawn.value().substring(1))
                    : drawn;
        }
    }

    private static final class RefusesOptions extends SmallBackend {
        RefusesOptions(SmallStore store) {
            super(store);
        }

        @Override
        public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
            return request.lockId().value().startsWith("-") ? ReleaseOutcome.NOT_FOUND : super.release(request, signal);
        }
    }

    private static final class RefusalTakesFence extends SmallBackend {
        RefusalTakesFence(SmallStore store) {
            super(store);
        }

        @Override
        AcquireOutcome refuse(StoredLock other, AcquireRequest request, long now) {
            nextFence(request.key());
            return super.refuse(other, request, now);
        }
    }

    private static final class ConfirmsInGreyZone extends SmallBackend {
        ConfirmsInGreyZone(SmallStore store) {
            super(store);
        }

        @Override
        boolean isConfirmed(StoredLock own, long now) {
            return Liveness.isLive(own.expiresAtMs(), now);
        }
    }
}
