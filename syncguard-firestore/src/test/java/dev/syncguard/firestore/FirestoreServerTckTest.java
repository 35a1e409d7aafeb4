package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.testbed.firestore.FirestoreServer;
import org.junit.jupiter.api.AfterAll;

/** The contract on the stand-in. */
class FirestoreServerTckTest extends FirestoreTck {

    private FirestoreServer server;

    FirestoreServer startServer() {
        return FirestoreServer.start();
    }

    @Override
    Firestore createClient() {
        server = startServer();
        return Clients.warm(server.hostAndPort());
    }

    @AfterAll
    void stopServer() {
        server.close();
    }
}
