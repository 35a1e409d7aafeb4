package dev.syncguard.fence.jdbc;

import dev.syncguard.tck.FenceGuardTck;
import dev.syncguard.tck.FencedStore;
import java.sql.Connection;

/** The contract on SQLite, which has one level. */
class SqliteTckTest extends FenceGuardTck {

    private final GuardedTable table;

    SqliteTckTest() throws Exception {
        table = Databases.table(Databases.sqlite(), Connection.TRANSACTION_SERIALIZABLE);
    }

    @Override
    protected FencedStore store() {
        return table;
    }
}
