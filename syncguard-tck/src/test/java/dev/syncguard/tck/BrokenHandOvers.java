package dev.syncguard.tck;

import static dev.syncguard.tck.Broken.broken;

import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import java.util.List;
import java.util.stream.Stream;

/** Backends that get the hand-over wrong. */
final class BrokenHandOvers {

    private BrokenHandOvers() {}

    static Stream<Broken> all() {
        return Stream.of(
                broken("a waiter is queued after its refusal", QueuesLate::new, "HND-1"),
                broken(
                        "a release grants to no one",
                        GrantsToNoOne::new,
                        "HND-1",
                        "HND-2",
                        "HND-3",
                        "HND-4",
                        "HND-5",
                        "HND-6",
                        "HND-7"),
                broken("what is handed over keeps its fence", KeepsFence::new, "HND-2"),
                broken("what is handed over has no label", NoLabel::new, "HND-2"),
                broken("a waiter that asks again goes to the end", LosesPlace::new, "HND-3"),
                broken("what is handed over lasts for its ttl", NoClaim::new, "HND-4", "HND-8"),
                broken("a claim may be longer than the ttl", LongClaim::new, "HND-4"),
                broken("a wait counts from the first attempt", CountsFromFirst::new, "HND-5"),
                broken("a waiter that leaves stays in the queue", StaysInQueue::new, "HND-6"),
                broken("places never expire", PlacesNeverExpire::new, "HND-7"),
                broken("a waiter that cannot be told keeps the lock", KeptByTheDeaf::new, "HND-8"));
    }

    /** A guard's waiter that was in the queue when it should not be would break its rules as well, or not: with luck. */
    private static boolean isOfTest(AcquireRequest request) {
        return request.place() != null && request.place().patienceMs() == QueuedWaiter.PATIENCE_MS;
    }

    private static final class QueuesLate extends SmallBackend {
        QueuesLate(SmallStore store) {
            super(store);
        }

        @Override
        public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
            AcquireOutcome outcome = super.acquire(request, signal);
            if (outcome instanceof Refused && isOfTest(request)) {
                awaitRelease(request.key());
                synchronized (store) {
                    store.queues.join(name(request.key()), request, store.nowMs());
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

        @Override
        public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
            Broken.hesitate();
            return super.release(request, signal);
        }

        @Override
        void queue(String name, AcquireRequest request, long now) {
            if (!isOfTest(request)) {
                super.queue(name, request, now);
            }
        }
    }

    private static final class GrantsToNoOne extends SmallBackend {
        GrantsToNoOne(SmallStore store) {
            super(store);
        }

        @Override
        void queue(String name, AcquireRequest request, long now) {}
    }

    private static final class KeepsFence extends SmallBackend {
        private boolean handsOver;

        KeepsFence(SmallStore store) {
            super(store);
        }

        @Override
        void handOver(String name, SmallQueues.Queued heir, long now) {
            handsOver = true;
            super.handOver(name, heir, now);
            handsOver = false;
        }

        @Override
        Fence nextFence(LockKey key) {
            return handsOver ? new Fence(store.fenceCounter(key.value())) : super.nextFence(key);
        }
    }

    private static final class NoLabel extends SmallBackend {
        NoLabel(SmallStore store) {
            super(store);
        }

        @Override
        void queue(String name, AcquireRequest request, long now) {
            AcquireRequest bare = new AcquireRequest(
                    request.key(), request.lockId(), request.ttl(), request.willWait(), null, request.place());
            super.queue(name, bare, now);
        }
    }

    private static final class LosesPlace extends SmallBackend {
        LosesPlace(SmallStore store) {
            super(store);
        }

        @Override
        void queue(String name, AcquireRequest request, long now) {
            store.queues.leave(request.lockId());
            super.queue(name, request, now);
        }
    }

    private static final class NoClaim extends SmallBackend {
        NoClaim(SmallStore store) {
            super(store);
        }

        @Override
        long claimMs(SmallQueues.Queued heir) {
            return heir.request().ttl().millis();
        }
    }

    private static final class LongClaim extends SmallBackend {
        LongClaim(SmallStore store) {
            super(store);
        }

        @Override
        long claimMs(SmallQueues.Queued heir) {
            return heir.place().claimMs();
        }
    }

    private static final class CountsFromFirst extends SmallBackend {
        CountsFromFirst(SmallStore store) {
            super(store);
        }

        @Override
        void tell(SmallQueues.Queued heir, Granted granted, long now) {
            super.tell(heir, granted, now + 1000);
        }
    }

    private static final class StaysInQueue extends SmallBackend {
        StaysInQueue(SmallStore store) {
            super(store);
        }

        @Override
        void leave(LockId lockId) {
            boolean stays = store.queues.queues.values().stream()
                    .flatMap(List::stream)
                    .anyMatch(queued -> queued.request().lockId().equals(lockId) && isOfTest(queued.request()));
            if (!stays) {
                super.leave(lockId);
            }
        }
    }

    private static final class PlacesNeverExpire extends SmallBackend {
        PlacesNeverExpire(SmallStore store) {
            super(store);
        }

        @Override
        boolean isWaiting(SmallQueues.Queued queued, long now) {
            return true;
        }
    }

    private static final class KeptByTheDeaf extends SmallBackend {
        KeptByTheDeaf(SmallStore store) {
            super(store);
        }

        @Override
        long claimMs(SmallQueues.Queued heir) {
            boolean hears = store.queues.hears(heir.request().lockId());
            return hears ? super.claimMs(heir) : heir.request().ttl().millis();
        }
    }
}
