package dev.syncguard.fence.jdbc;

import dev.syncguard.tck.FenceGuardTck;
import dev.syncguard.tck.FencedStore;
import java.sql.Connection;

/** The contract on PostgreSQL at REPEATABLE READ. */
class PostgresRepeatableReadTckTest extends FenceGuardTck {

    private final GuardedTable table;

    PostgresRepeatableReadTckTest() throws Exception {
        table = Databases.table(Databases.postgres(), Connection.TRANSACTION_REPEATABLE_READ);
    }

    @Override
    protected FencedStore store() {
        return table;
    }
}
