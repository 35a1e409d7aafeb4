package dev.syncguard.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;

/** A connection that was asked for. One that comes when nobody waits for it any more goes back. */
final class Loan extends FutureTask<Connection> {

    Loan(DataSource dataSource) {
        super(dataSource::getConnection);
    }

    /** Stops waiting. The interrupt ends the wait for a free connection, so that no thread stays in the pool's queue. */
    void leave() {
        if (!cancel(true)) {
            try {
                giveBack(get());
            } catch (ExecutionException | InterruptedException e) {
                // There is none.
            }
        }
    }

    /** On the thread that asked. Either the waiter gets the connection, or it goes back here. */
    @Override
    protected void set(Connection connection) {
        super.set(connection);
        if (isCancelled()) {
            giveBack(connection);
        }
    }

    private static void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // It is broken; the pool will notice.
        }
    }
}
