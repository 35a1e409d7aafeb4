package dev.syncguard.faults.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What the two tables of a database have. */
final class SqlContents {

    /** Opens a connection. */
    interface Source {
        Connection open() throws SQLException;
    }

    private SqlContents() {}

    static Leftovers of(Source source) {
        try (Connection connection = source.open();
                Statement statement = connection.createStatement()) {
            List<Leftovers.Lock> locks = new ArrayList<>();
            try (ResultSet rows =
                    statement.executeQuery("SELECT user_key, lock_id, expires_at_ms FROM syncguard_locks")) {
                while (rows.next()) {
                    locks.add(new Leftovers.Lock(rows.getString(1), rows.getString(2), rows.getLong(3)));
                }
            }
            try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM syncguard_fence_counters")) {
                rows.next();
                return new Leftovers(locks, List.of(), rows.getInt(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
