package dev.syncguard.firestore;

import dev.syncguard.tck.FenceGuardTck;
import dev.syncguard.tck.FencedStore;

/** The contract of guards on the stand-in. */
class FirestoreFenceGuardTckTest extends FenceGuardTck {

    private final FencedStore store = new FencedFirestore(
            TestServer.sharedClient(), FirestoreFenceGuard.create(TestServer.sharedClient()), false);

    @Override
    protected FencedStore store() {
        return store;
    }
}
