package dev.syncguard.fence.jdbc;

import dev.syncguard.tck.FenceGuardTck;
import dev.syncguard.tck.FencedStore;
import java.sql.Connection;

/** The contract on H2, with plain SQL, at REPEATABLE READ. */
class H2RepeatableReadTckTest extends FenceGuardTck {

    private final GuardedTable table;

    H2RepeatableReadTckTest() throws Exception {
        table = Databases.table(Databases.h2(), Connection.TRANSACTION_REPEATABLE_READ);
    }

    @Override
    protected FencedStore store() {
        return table;
    }
}
