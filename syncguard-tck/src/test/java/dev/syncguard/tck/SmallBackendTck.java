package dev.syncguard.tck;

import dev.syncguard.SyncGuard;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;

/** The kit on a {@link SmallBackend}, sound or broken. Run by {@link TckSelfTest} only. */
class SmallBackendTck extends LockBackendTck {

    /** What the next instance runs on. */
    static volatile Broken subject = Broken.NOT;

    private final Broken broken = subject;
    private final ManualTime time = new ManualTime();
    private final SmallStore store = broken.makeStore(time::nowMs);

    @Override
    protected LockBackend createBackend() {
        return broken.makeBackend(store);
    }

    @Override
    protected StoreProbe store() {
        return store;
    }

    @Override
    protected SyncGuard createGuard() {
        return SyncGuard.builder(createBackend()).time(time).build();
    }

    @Override
    protected void passTime(Duration duration) {
        time.advance(duration);
    }

    @Override
    protected LockBackend createUnreachableBackend() {
        return broken.makeUnreachable(store);
    }

    @Override
    protected LockBackend createCleaningBackend() {
        return broken.makeCleaning(store);
    }

    @Override
    Duration patience() {
        return Duration.ofSeconds(1);
    }
}
