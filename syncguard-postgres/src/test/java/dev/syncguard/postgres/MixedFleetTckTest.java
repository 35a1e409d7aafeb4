package dev.syncguard.postgres;

import dev.syncguard.spi.FenceMode;
import dev.syncguard.spi.LockBackend;

/** The contract with the options that change the acquire statement: the advisory lock, and fences that follow the time. */
class MixedFleetTckTest extends PostgresLockBackendTckTest {

    @Override
    protected LockBackend createBackend() {
        return database.builder().mixedFleet().fenceMode(FenceMode.TIME_FLOORED).build();
    }
}
