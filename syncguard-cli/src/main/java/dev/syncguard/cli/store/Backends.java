package dev.syncguard.cli.store;

import dev.syncguard.LockException;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.postgres.PostgresSchema;
import dev.syncguard.spi.LockBackend;

/** From an address to a store. A new backend is one more line here, a {@link StoreKind} and one more class beside. */
public final class Backends {

    private Backends() {}

    /**
     * Opens a store.
     *
     * @param given where it is
     * @return the store, to be closed
     * @throws LockException if the address is wrong or the store cannot be reached
     */
    public static LockBackend open(StoreAddress given) {
        StoreKind kind = StoreKind.of(given);
        StoreAddress address = UrlParameters.read(given, kind);
        address.settings().check(kind);
        return switch (kind) {
            case MEMORY -> new MemoryLockBackend();
            case SQLITE -> SqliteScheme.open(address);
            case REDIS -> RedisScheme.open(address);
            case POSTGRESQL -> PostgresScheme.open(address);
            case FIRESTORE -> FirestoreScheme.open(address);
        };
    }

    /**
     * Returns what PostgreSQL needs to keep locks.
     *
     * @param tables other names than the usual ones
     * @return SQL
     */
    public static String schema(StoreSettings tables) {
        tables.check(StoreKind.POSTGRESQL);
        PostgresNames names = PostgresScheme.names(tables);
        String create = names.schema().equals(PostgresNames.defaults().schema())
                ? ""
                : "CREATE SCHEMA IF NOT EXISTS \"" + names.schema() + "\";\n\n";
        return create + PostgresSchema.script(names);
    }
}
