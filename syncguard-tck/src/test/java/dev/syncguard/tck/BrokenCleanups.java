package dev.syncguard.tck;

import static dev.syncguard.tck.Broken.broken;

import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.StoredLock;
import java.util.stream.Stream;

/** Backends that get the clean-up in isLocked wrong. */
final class BrokenCleanups {

    private BrokenCleanups() {}

    static Stream<Broken> all() {
        return Stream.of(
                broken("the clean-up deletes the counter", SweepsCounter::new, "LCK-3"),
                broken("the clean-up deletes what expired a moment ago", SweepsEarly::new, "LCK-3"));
    }

    private static final class SweepsCounter extends SmallBackend {
        SweepsCounter(SmallStore store) {
            super(store);
        }

        @Override
        void sweep(String name, StoredLock lock) {
            super.sweep(name, lock);
            store.counters.remove(name);
        }
    }

    private static final class SweepsEarly extends SmallBackend {
        SweepsEarly(SmallStore store) {
            super(store);
        }

        @Override
        boolean isLeftover(StoredLock lock, long now) {
            return !Liveness.isLive(lock.expiresAtMs(), now);
        }
    }
}
