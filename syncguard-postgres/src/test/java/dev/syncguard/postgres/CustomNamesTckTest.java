package dev.syncguard.postgres;

import dev.syncguard.testbed.PostgresServer;

/** The contract on tables with other names, one of them a word of SQL, in a second schema. */
class CustomNamesTckTest extends PostgresLockBackendTckTest {

    @Override
    TestDatabase createDatabase() {
        PostgresNames names = new PostgresNames(TestDatabase.newName(), "table", "x".repeat(63));
        return TestDatabase.create(PostgresServer.sharedUrl(), names, 16);
    }
}
