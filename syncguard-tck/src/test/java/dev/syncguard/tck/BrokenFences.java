package dev.syncguard.tck;

import static dev.syncguard.tck.Broken.broken;

import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.LockKey;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.StoredLock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Backends that get fences wrong. */
final class BrokenFences {

    private BrokenFences() {}

    static Stream<Broken> all() {
        return Stream.of(
                broken("fences start again at 1 after a release", StartsAgain::new, "FNC-1", "HND-2"),
                broken("every second fence is the one before", EachTwice::new, "FNC-1", "HND-2"),
                broken("the counter runs ahead of the fence", CounterAhead::new, "FNC-2"),
                broken("a grant also raises the counter of the key before", RaisesAnother::new, "FNC-3"),
                broken("the highest fence is not granted", StopsEarly::new, "FNC-4"),
                broken("a used-up counter starts again at 1", Overflows::new, "FNC-5"),
                broken("a damaged counter is taken for 0", AcceptsDamage::new, "FNC-5"),
                broken("raising the counter can lower it", Lowers::new, "FNC-6"),
                broken("raising the counter does nothing", DoesNotRaise::new, "FNC-7"),
                broken("nobody is warned of high fences", Silent::new, "FNC-8"),
                broken("the counter can be raised above the limit", RaisesTooHigh::new, "FNC-9"));
    }

    private static final class StartsAgain extends SmallBackend {
        private final Set<String> released = new HashSet<>();

        StartsAgain(SmallStore store) {
            super(store);
        }

        @Override
        void remove(String name, StoredLock lock) {
            super.remove(name, lock);
            released.add(name);
        }

        @Override
        Fence nextFence(LockKey key) {
            if (released.remove(key.value())) {
                store.setFenceCounter(key.value(), 0);
            }
            return super.nextFence(key);
        }
    }

    private static final class EachTwice extends SmallBackend {
        private final Map<LockKey, Integer> grants = new HashMap<>();

        EachTwice(SmallStore store) {
            super(store);
        }

        @Override
        Fence nextFence(LockKey key) {
            boolean again = grants.merge(key, 1, Integer::sum) % 2 == 0;
            return again ? new Fence(store.fenceCounter(key.value())) : super.nextFence(key);
        }
    }

    private static final class CounterAhead extends SmallBackend {
        CounterAhead(SmallStore store) {
            super(store);
        }

        @Override
        Fence nextFence(LockKey key) {
            Fence fence = super.nextFence(key);
            store.setFenceCounter(key.value(), fence.value() + 1);
            return fence;
        }
    }

    private static final class RaisesAnother extends SmallBackend {
        private String before = "";

        RaisesAnother(SmallStore store) {
            super(store);
        }

        @Override
        Fence nextFence(LockKey key) {
            if (!before.equals(key.value())) {
                store.counters.computeIfPresent(before, (name, counter) -> counter + 1);
            }
            before = key.value();
            return super.nextFence(key);
        }
    }

    private static final class StopsEarly extends SmallBackend {
        StopsEarly(SmallStore store) {
            super(store);
        }

        @Override
        Fence nextFence(LockKey key) {
            if (store.fenceCounter(key.value()) + 1 == Fence.MAX.value()) {
                throw FenceLimits.exhausted();
            }
            return super.nextFence(key);
        }
    }

    private static final class Overflows extends SmallBackend {
        Overflows(SmallStore store) {
            super(store);
        }

        @Override
        Fence nextFence(LockKey key) {
            if (store.fenceCounter(key.value()) == Fence.MAX.value()) {
                store.setFenceCounter(key.value(), 0);
            }
            return super.nextFence(key);
        }
    }

    private static final class AcceptsDamage extends SmallBackend {
        AcceptsDamage(SmallStore store) {
            super(store);
        }

        @Override
        Fence nextFence(LockKey key) {
            if (store.fenceCounter(key.value()) < 0) {
                store.setFenceCounter(key.value(), 0);
            }
            return super.nextFence(key);
        }
    }

    private static final class Lowers extends SmallBackend {
        Lowers(SmallStore store) {
            super(store);
        }

        @Override
        public Fence raiseFence(LockKey key, Fence atLeast, AbortSignal signal) {
            Fence raised = super.raiseFence(key, atLeast, signal);
            store.setFenceCounter(key.value(), atLeast.value());
            return raised;
        }
    }

    private static final class DoesNotRaise extends SmallBackend {
        DoesNotRaise(SmallStore store) {
            super(store);
        }

        @Override
        public Fence raiseFence(LockKey key, Fence atLeast, AbortSignal signal) {
            long before = store.fenceCounter(key.value());
            Fence raised = super.raiseFence(key, atLeast, signal);
            store.setFenceCounter(key.value(), before);
            return raised;
        }
    }

    private static final class Silent extends SmallBackend {
        Silent(SmallStore store) {
            super(store);
        }

        @Override
        Fence nextFence(LockKey key) {
            Fence fence = FenceLimits.next(store.fenceCounter(key.value()));
            store.setFenceCounter(key.value(), fence.value());
            return fence;
        }
    }

    private static final class RaisesTooHigh extends SmallBackend {
        RaisesTooHigh(SmallStore store) {
            super(store);
        }

        @Override
        public Fence raiseFence(LockKey key, Fence atLeast, AbortSignal signal) {
            if (!atLeast.isNewerThan(Fence.MAX)) {
                return super.raiseFence(key, atLeast, signal);
            }
            store.setFenceCounter(key.value(), atLeast.value());
            return atLeast;
        }
    }
}
