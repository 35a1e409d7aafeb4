package dev.syncguard.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.LockingMode;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteOpenMode;

/** Connects to the lock file. */
final class Connections {

    private Connections() {}

    static SQLiteConnection connect(DatabaseFile.Identity file, int busyMillis) throws SQLException {
        return connect(file, busyMillis, new SQLiteConfig());
    }

    /** Whether no other session, of this process or another one, has the file open. */
    static boolean isUnused(DatabaseFile.Identity file) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setLockingMode(LockingMode.EXCLUSIVE);
        try (SQLiteConnection connection = connect(file, 0, config);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM sqlite_master")) {
            return rows.next();
        } catch (SQLException e) {
            if (SqliteErrors.isBusy(e)) {
                return false;
            }
            throw e;
        }
    }

    private static SQLiteConnection connect(DatabaseFile.Identity file, int busyMillis, SQLiteConfig config)
            throws SQLException {
        // The file is there, with the right permissions; if it vanished meanwhile, SQLite must not make another.
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.setBusyTimeout(busyMillis);
        // As a URI, because the driver takes what follows a question mark in a plain path for settings.
        return (SQLiteConnection)
                config.createConnection("jdbc:sqlite:" + file.path().toUri());
    }
}
