package dev.syncguard.cli.store;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.List;

/** The stores, each with the schemes of its URLs. */
enum StoreKind {
    MEMORY("memory"),
    SQLITE("sqlite"),
    REDIS("redis", "rediss", "redis-sentinel", "rediss-sentinel", "redis-cluster", "rediss-cluster"),
    POSTGRESQL("postgresql", "postgres", "jdbc"),
    FIRESTORE("firestore");

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> schemes;

    StoreKind(String... schemes) {
        this.schemes = List.of(schemes);
    }

    static StoreKind of(StoreAddress address) {
        for (StoreKind kind : values()) {
            if (kind.schemes.contains(address.scheme()) && !isForeignJdbc(address)) {
                return kind;
            }
        }
        throw new LockException(
                Code.INVALID_ARGUMENT,
                "unknown backend; use sqlite:PATH, redis://HOST, rediss://HOST, redis-sentinel://HOST#PRIMARY,"
                        + " redis-cluster://HOST, postgresql://HOST/DATABASE, jdbc:postgresql://HOST/DATABASE,"
                        + " firestore://PROJECT or memory:");
    }

    private static boolean isForeignJdbc(StoreAddress address) {
        return address.scheme().equals("jdbc") && !address.rest().startsWith("postgresql:");
    }

    /** As in URLs. */
    @Override
    public String toString() {
        return schemes.get(0);
    }
}
