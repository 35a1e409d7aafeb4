package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.testbed.firestore.FirestoreServer;

/** A stand-in and a client of it. */
record TestServer(FirestoreServer server, Firestore client) implements AutoCloseable {

    private static final TestServer SHARED = start();

    /** The client for tests that do nothing to the server. It ends with the JVM. */
    static Firestore sharedClient() {
        return SHARED.client;
    }

    static TestServer start() {
        FirestoreServer server = FirestoreServer.start();
        return new TestServer(server, Clients.warm(server.hostAndPort()));
    }

    @Override
    public void close() {
        client.shutdownNow();
        server.close();
    }
}
