package dev.syncguard.fence.jdbc;

import dev.syncguard.tck.FenceGuardTck;
import dev.syncguard.tck.FencedStore;
import java.sql.Connection;

/** The contract on H2, with plain SQL, at SERIALIZABLE. */
class H2SerializableTckTest extends FenceGuardTck {

    private final GuardedTable table;

    H2SerializableTckTest() throws Exception {
        table = Databases.table(Databases.h2(), Connection.TRANSACTION_SERIALIZABLE);
    }

    @Override
    protected FencedStore store() {
        return table;
    }
}
