package dev.syncguard.firestore;

import dev.syncguard.FenceMode;

/** The contract with fences that are at least the store's time. */
class FirestoreTimeFlooredTckTest extends FirestoreServerTckTest {

    @Override
    FenceMode fenceMode() {
        return FenceMode.TIME_FLOORED;
    }
}
