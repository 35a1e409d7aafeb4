package dev.syncguard.fence.jdbc;

import dev.syncguard.tck.FenceGuardTck;
import dev.syncguard.tck.FencedStore;
import java.sql.Connection;

/** The contract on H2, with plain SQL, at READ COMMITTED. */
class H2ReadCommittedTckTest extends FenceGuardTck {

    private final GuardedTable table;

    H2ReadCommittedTckTest() throws Exception {
        table = Databases.table(Databases.h2(), Connection.TRANSACTION_READ_COMMITTED);
    }

    @Override
    protected FencedStore store() {
        return table;
    }
}
