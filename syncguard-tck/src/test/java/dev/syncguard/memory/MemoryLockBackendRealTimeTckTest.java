package dev.syncguard.memory;

import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.tck.LockBackendTck;
import dev.syncguard.tck.StoreProbe;
import java.time.Duration;
import java.util.Optional;

/** The contract on the in-memory store in real time, and the kit as another package sees it. */
class MemoryLockBackendRealTimeTckTest extends LockBackendTck {

    private final MemoryStore store = new MemoryStore(System::currentTimeMillis);

    @Override
    protected LockBackend createBackend() {
        return new MemoryLockBackend(store);
    }

    @Override
    protected StoreProbe store() {
        return new Probe();
    }

    private final class Probe implements StoreProbe {

        @Override
        public Optional<StoredLock> stored(String key) {
            return Optional.ofNullable(store.slot(key).held());
        }

        @Override
        public void expire(String key) {
            expireAgo(key, Duration.ofSeconds(5));
        }

        @Override
        public void expireAgo(String key, Duration ago) {
            store.slot(key).expireAt(nowMs() - ago.toMillis());
        }

        @Override
        public long fenceCounter(String key) {
            return store.slot(key).counter();
        }

        @Override
        public void setFenceCounter(String key, long value) {
            store.slot(key).setCounter(value);
        }

        @Override
        public long nowMs() {
            return store.nowMs();
        }
    }
}
