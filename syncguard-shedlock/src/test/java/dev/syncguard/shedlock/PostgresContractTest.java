package dev.syncguard.shedlock;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.SyncGuard;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.postgres.PostgresSchema;
import dev.syncguard.testbed.PostgresServer;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("once")
class PostgresContractTest extends ShedLockContract {

    private static final HikariDataSource POOL = new HikariDataSource();
    private static final SyncGuard GUARD =
            SyncGuard.of(PostgresLockBackend.builder(POOL).build());

    PostgresContractTest() {
        super(GUARD, GUARD);
    }

    @BeforeAll
    static void createTables() throws SQLException {
        POOL.setJdbcUrl(PostgresServer.sharedUrl());
        PostgresSchema.create(POOL, PostgresNames.defaults());
    }

    @AfterAll
    static void close() {
        GUARD.close();
        POOL.close();
    }
}
