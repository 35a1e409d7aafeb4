package dev.syncguard.tck;

import static dev.syncguard.tck.Broken.broken;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import java.util.List;
import java.util.stream.Stream;

/** Backends that get release signals wrong. */
final class BrokenSignals {

    private BrokenSignals() {}

    static Stream<Broken> all() {
        return Stream.of(
                broken("a waiter is registered after its refusal", RegistersLate::new, "SIG-1"),
                broken("only one subscription is woken", WakesOne::new, "SIG-2"),
                broken("releases wake nobody", WakesNobody::new, "SIG-1", "SIG-2", "SIG-4"),
                broken("closed subscriptions are woken", WakesClosed::new, "SIG-4"));
    }

    private static final class RegistersLate extends SmallBackend {
        RegistersLate(SmallStore store) {
            super(store);
        }

        @Override
        public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
            AcquireOutcome outcome = super.acquire(request, signal);
            if (outcome instanceof Refused && request.willWait()) {
                awaitRelease(request.key());
                synchronized (store) {
                    store.waitedFor.add(name(request.key()));
                }
            }
            return outcome;
        }

        /** A refusal that meets a release is too late for certain, not with luck; others wait a moment for nothing. */
        private void awaitRelease(LockKey key) {
            for (int i = 0; i < 25 && isLocked(key, AbortSignal.none()); i++) {
                Broken.hesitate();
            }
        }

        /** Lets attempts that start at the same time be refused first. */
        @Override
        public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
            Broken.hesitate();
            return super.release(request, signal);
        }

        @Override
        AcquireOutcome refuse(StoredLock other, AcquireRequest request, long now) {
            return super.refuse(
                    other,
                    new AcquireRequest(
                            request.key(), request.lockId(), request.ttl(), false, request.label(), request.place()),
                    now);
        }
    }

    private static final class WakesOne extends SmallBackend {
        WakesOne(SmallStore store) {
            super(store);
        }

        @Override
        void wake(List<SmallSubscription> waiters) {
            waiters.stream().filter(SmallSubscription::isActive).findFirst().ifPresent(SmallSubscription::wake);
        }
    }

    private static final class WakesNobody extends SmallBackend {
        WakesNobody(SmallStore store) {
            super(store);
        }

        @Override
        void wake(List<SmallSubscription> waiters) {}
    }

    private static final class WakesClosed extends SmallBackend {
        WakesClosed(SmallStore store) {
            super(store);
        }

        @Override
        SmallSubscription subscription(Runnable wakeUp) {
            return new SmallSubscription(wakeUp) {
                @Override
                void wake() {
                    wakeUp.run();
                }
            };
        }
    }
}
