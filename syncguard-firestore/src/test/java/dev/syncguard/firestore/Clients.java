package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;

/** Clients as an application would make them, for a server that asks for no credentials. */
final class Clients {

    static final String PROJECT = "syncguard-test";

    private Clients() {}

    /** A client that has spoken with its server: the first words of a cold one take seconds on a busy machine. */
    static Firestore warm(String hostAndPort) {
        Firestore client = of(hostAndPort);
        FirestoreProbe.get(client.document("warm/up").get());
        return client;
    }

    static Firestore of(String hostAndPort) {
        return FirestoreOptions.newBuilder()
                .setProjectId(PROJECT)
                .setEmulatorHost(hostAndPort)
                .build()
                .getService();
    }
}
