package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;

/** The server that most tests share. */
final class TestServer {

    private static final Firestore CLIENT = Clients.warm(System.getenv("FIRESTORE_EMULATOR_HOST"));

    private TestServer() {}

    static Firestore client() {
        return CLIENT;
    }
}
