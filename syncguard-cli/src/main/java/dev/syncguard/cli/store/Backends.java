package dev.syncguard.cli.store;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.LockBackend;

/** The URL schemes. A new backend is one more line here and one more class beside. */
public final class Backends {

    private Backends() {}

    /**
     * Opens a store.
     *
     * @param address where it is
     * @return the store, to be closed
     * @throws LockException if the address is wrong or the store cannot be reached
     */
    public static LockBackend open(StoreAddress address) {
        String scheme = address.scheme();
        boolean isRedis = scheme.startsWith("redis");
        if (address.prefix() != null && !isRedis) {
            throw new LockException(Code.INVALID_ARGUMENT, "--prefix is for Redis; other stores have none");
        }
        return switch (scheme) {
            case "memory" -> new MemoryLockBackend();
            case "sqlite" -> SqliteScheme.open(address);
            case "redis", "rediss", "redis-sentinel", "redis-cluster" -> RedisScheme.open(address);
            case "postgresql", "postgres" -> PostgresScheme.open(address);
            case "jdbc" -> jdbc(address);
            case "firestore" -> FirestoreScheme.open(address);
            default -> throw unknown();
        };
    }

    private static LockBackend jdbc(StoreAddress address) {
        if (!address.rest().startsWith("postgresql:")) {
            throw unknown();
        }
        return PostgresScheme.open(address);
    }

    private static LockException unknown() {
        return new LockException(
                Code.INVALID_ARGUMENT,
                "unknown backend; use sqlite:PATH, redis://HOST, rediss://HOST, redis-sentinel://HOST#PRIMARY,"
                        + " redis-cluster://HOST, postgresql://HOST/DATABASE, jdbc:postgresql://HOST/DATABASE,"
                        + " firestore://PROJECT or memory:");
    }
}
