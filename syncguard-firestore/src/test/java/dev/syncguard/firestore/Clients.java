package dev.syncguard.firestore;

import static dev.syncguard.firestore.FirestoreProbe.get;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import java.util.Map;

/** Clients as an application would make them, for a server that asks for no credentials. */
final class Clients {

    private static final String PROJECT = "syncguard-test";

    private Clients() {}

    /** A client that has spoken with its server: the first words of a cold one take seconds on a busy machine. */
    static Firestore warm(String hostAndPort) {
        Firestore client = of(hostAndPort);
        CollectionReference warm = client.collection("warm");
        get(client.runTransaction(transaction -> {
            transaction.getAll(warm.document("up")).get();
            transaction.get(warm.whereEqualTo("a", "b")).get();
            transaction.set(warm.document("up"), Map.of());
            return "warm";
        }));
        return client;
    }

    static Firestore of(String hostAndPort) {
        return of(hostAndPort, PROJECT);
    }

    static Firestore of(String hostAndPort, String project) {
        return FirestoreOptions.newBuilder()
                .setProjectId(project)
                .setEmulatorHost(hostAndPort)
                .build()
                .getService();
    }
}
