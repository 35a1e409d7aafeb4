package dev.syncguard.sqlite;

import dev.syncguard.FenceMode;

/** The contract, with fences that follow the clock. */
class TimeFlooredTckTest extends SqliteLockBackendTckTest {

    @Override
    FenceMode fenceMode() {
        return FenceMode.TIME_FLOORED;
    }
}
