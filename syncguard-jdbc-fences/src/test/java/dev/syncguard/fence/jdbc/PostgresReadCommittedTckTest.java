package dev.syncguard.fence.jdbc;

import dev.syncguard.tck.FenceGuardTck;
import dev.syncguard.tck.FencedStore;
import java.sql.Connection;

/** The contract on PostgreSQL at READ COMMITTED. */
class PostgresReadCommittedTckTest extends FenceGuardTck {

    private final GuardedTable table;

    PostgresReadCommittedTckTest() throws Exception {
        table = Databases.table(Databases.postgres(), Connection.TRANSACTION_READ_COMMITTED);
    }

    @Override
    protected FencedStore store() {
        return table;
    }
}
