package dev.syncguard.postgres;

import dev.syncguard.FenceMode;

/** The contract with the options that change the acquire statement: no advisory lock, and fences that follow the time. */
class NoOtherLibraryTckTest extends PostgresLockBackendTckTest {

    @Override
    PostgresLockBackendBuilder builder() {
        return database.builder().assumeNoOtherLibrary().fenceMode(FenceMode.TIME_FLOORED);
    }
}
