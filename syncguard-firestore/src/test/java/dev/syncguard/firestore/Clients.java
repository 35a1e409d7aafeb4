package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;

/** Clients as an application would make them, for a server that asks for no credentials. */
final class Clients {

    static final String PROJECT = "syncguard-test";

    private Clients() {}

    static Firestore of(String hostAndPort) {
        return FirestoreOptions.newBuilder()
                .setProjectId(PROJECT)
                .setEmulatorHost(hostAndPort)
                .build()
                .getService();
    }
}
