package dev.syncguard.postgres;

import dev.syncguard.spi.LockBackend;
import dev.syncguard.tck.LockBackendTck;
import dev.syncguard.tck.StoreProbe;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/** The contract, on the usual tables in a schema of their own. */
class PostgresLockBackendTckTest extends LockBackendTck {

    final TestDatabase database = createDatabase();

    TestDatabase createDatabase() {
        return TestDatabase.create();
    }

    PostgresLockBackendBuilder builder() {
        return database.builder();
    }

    @Override
    protected LockBackend createBackend() {
        return builder().build();
    }

    @Override
    protected LockBackend createCleaningBackend() {
        return builder().cleanupInIsLocked(true).build();
    }

    @Override
    protected StoreProbe store() {
        return new PostgresProbe(database);
    }

    @Override
    protected LockBackend createUnreachableBackend() {
        return PostgresLockBackend.builder(TestDatabase.plain("jdbc:postgresql://127.0.0.1:1/none"))
                .commandTimeout(Duration.ofMillis(500))
                .build();
    }

    @AfterAll
    void closeDatabase() {
        database.close();
    }
}
