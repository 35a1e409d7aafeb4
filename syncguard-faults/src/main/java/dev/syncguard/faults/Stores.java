package dev.syncguard.faults;

import dev.syncguard.faults.store.ClusterStore;
import dev.syncguard.faults.store.FirestoreStore;
import dev.syncguard.faults.store.PostgresStore;
import dev.syncguard.faults.store.RedisStore;
import dev.syncguard.faults.store.SentinelStore;
import dev.syncguard.faults.store.SqliteStore;
import dev.syncguard.faults.store.TestStore;
import java.util.List;

/** The stores by name. */
final class Stores {

    static final List<String> NAMES = List.of("redis", "postgres", "sqlite", "firestore", "sentinel", "cluster");

    private Stores() {}

    static TestStore start(String name, int clients) {
        return switch (name) {
            case "redis" -> new RedisStore(clients);
            case "postgres" -> new PostgresStore(clients);
            case "sqlite" -> new SqliteStore();
            case "firestore" -> new FirestoreStore(clients);
            case "sentinel" -> new SentinelStore();
            case "cluster" -> new ClusterStore();
            default -> throw new IllegalArgumentException("no such store: " + name);
        };
    }
}
