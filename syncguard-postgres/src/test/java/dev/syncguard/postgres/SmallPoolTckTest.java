package dev.syncguard.postgres;

import dev.syncguard.testbed.PostgresServer;

/** The contract on a pool of two connections, while up to 64 callers want one. The listener has a connection of its own. */
class SmallPoolTckTest extends PostgresLockBackendTckTest {

    @Override
    TestDatabase createDatabase() {
        PostgresNames names = PostgresNames.defaults().inSchema(TestDatabase.newName());
        return TestDatabase.create(PostgresServer.sharedUrl(), names, 2);
    }

    @Override
    PostgresLockBackendBuilder builder() {
        return database.builder().listenOn(TestDatabase.plain(database.url));
    }
}
