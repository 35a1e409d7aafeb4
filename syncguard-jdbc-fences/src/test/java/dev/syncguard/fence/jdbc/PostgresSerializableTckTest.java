package dev.syncguard.fence.jdbc;

import dev.syncguard.tck.FenceGuardTck;
import dev.syncguard.tck.FencedStore;
import java.sql.Connection;

/** The contract on PostgreSQL at SERIALIZABLE. */
class PostgresSerializableTckTest extends FenceGuardTck {

    private final GuardedTable table;

    PostgresSerializableTckTest() throws Exception {
        table = Databases.table(Databases.postgres(), Connection.TRANSACTION_SERIALIZABLE);
    }

    @Override
    protected FencedStore store() {
        return table;
    }
}
