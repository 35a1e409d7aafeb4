package dev.syncguard.testbed.firestore;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.firestore.v1.CommitResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A stand-in for each test, and a document. */
abstract class OwnServer {

    FirestoreServer server;
    FirestoreUnderTest underTest;
    CollectionReference collection;
    DocumentReference document;

    FirestoreServer startServer() {
        return FirestoreServer.start();
    }

    @BeforeEach
    void start() {
        server = startServer();
        underTest = new FirestoreUnderTest(server.hostAndPort());
        collection = underTest.collection();
        document = collection.document("d");
    }

    @AfterEach
    void stop() {
        underTest.close();
        server.close();
    }

    CommitResponse write(long n) {
        return Writes.commit(underTest.calls(), Writes.set(document, n));
    }
}
