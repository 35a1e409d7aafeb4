package dev.syncguard.spring.boot;

import dev.syncguard.postgres.PostgresNames;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of locks in PostgreSQL.
 *
 * @param schema Schema of the tables. "public" if not set.
 * @param locksTable Table of the locks. "syncguard_locks" if not set.
 * @param countersTable Table of the fence counters. "syncguard_fence_counters" if not set.
 * @param initializeSchema What is done about the tables at the start.
 * @param listenOn Name of the DataSource bean for the connection that listens for releases, where the pool of the locks is small or goes through a pooler.
 * @param pollOnly Whether waiters poll instead of listening for releases.
 * @param assumeNoOtherLibrary Whether an advisory lock is saved because no client of another library uses the tables. Where one does, there are two holders.
 */
@ConfigurationProperties("syncguard.postgres")
record PostgresProperties(
        @Nullable String schema,
        @Nullable String locksTable,
        @Nullable String countersTable,
        @DefaultValue("check") SchemaMode initializeSchema,
        @Nullable String listenOn,
        @DefaultValue("false") boolean pollOnly,
        @DefaultValue("false") boolean assumeNoOtherLibrary) {

    /** What is done about the tables at the start. */
    enum SchemaMode {
        /** Nothing: the database is not contacted. */
        NEVER,
        /** A missing table stops the application with the statements that create it. */
        CHECK,
        /** What is missing is created. */
        CREATE
    }

    PostgresNames names() {
        PostgresNames defaults = PostgresNames.defaults();
        return Settings.checked(
                "syncguard.postgres",
                () -> new PostgresNames(
                        schema == null ? defaults.schema() : schema,
                        locksTable == null ? defaults.locks() : locksTable,
                        countersTable == null ? defaults.counters() : countersTable));
    }
}
