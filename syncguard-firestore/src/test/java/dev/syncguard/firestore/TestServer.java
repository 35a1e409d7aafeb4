package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.testbed.firestore.FirestoreServer;

/** The stand-in that most tests share, and a client of it. It ends with the JVM. */
final class TestServer {

    private static final FirestoreServer SERVER = FirestoreServer.start();
    private static final Firestore CLIENT = Clients.warm(SERVER.hostAndPort());

    private TestServer() {}

    static Firestore client() {
        return CLIENT;
    }
}
