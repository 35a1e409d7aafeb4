package dev.syncguard.faults;

import dev.syncguard.faults.store.RedisStore;
import dev.syncguard.faults.store.TestStore;
import java.nio.file.Path;
import java.util.List;

/** The stores by name. */
final class Stores {

    static final List<String> NAMES = List.of("redis");

    private Stores() {}

    static TestStore start(String name, int clients, Path directory) {
        return switch (name) {
            case "redis" -> new RedisStore(clients);
            default -> throw new IllegalArgumentException("no such store: " + name);
        };
    }
}
