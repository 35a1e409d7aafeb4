package dev.syncguard.postgres;

import dev.syncguard.testbed.PostgresServer;

/** The contract where every transaction of the database is serializable by default. */
class SerializableTckTest extends PostgresLockBackendTckTest {

    @Override
    TestDatabase createDatabase() {
        return TestDatabase.create(
                PostgresServer.sharedUrl() + "&options=-c%20default_transaction_isolation=serializable");
    }
}
