package dev.syncguard.firestore;

import dev.syncguard.testbed.firestore.FirestoreServer;

/** The contract on a database whose transactions lock nothing and are judged when they commit. */
class FirestoreOptimisticTckTest extends FirestoreServerTckTest {

    @Override
    FirestoreServer startServer() {
        return FirestoreServer.startOptimistic();
    }
}
