package dev.syncguard.spring.boot;

import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.LockBackend;

/** Locks in this process, for tests and for development. */
final class MemoryBackendSource implements BackendSource {

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public boolean accepts(String url) {
        return url.equals("memory:") || url.equals("memory://");
    }

    @Override
    public LockBackend open(String url) {
        return new MemoryLockBackend();
    }
}
