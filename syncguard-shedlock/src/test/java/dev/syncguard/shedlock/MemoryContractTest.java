package dev.syncguard.shedlock;

import dev.syncguard.SyncGuard;
import dev.syncguard.memory.MemoryLockBackend;

class MemoryContractTest extends ShedLockContract {

    private static final MemoryLockBackend STORE = new MemoryLockBackend();

    MemoryContractTest() {
        super(SyncGuard.of(STORE), SyncGuard.of(STORE));
    }
}
