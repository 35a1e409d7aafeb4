package dev.syncguard.fence.jdbc;

import dev.syncguard.testbed.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** Databases that no other test uses. */
final class Databases {

    private Databases() {}

    static String newName() {
        return "t_" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    /** A schema of its own on a real PostgreSQL; returns a URL whose sessions find it first. */
    static String postgres() throws SQLException {
        String schema = newName();
        try (Connection connection = DriverManager.getConnection(PostgresServer.sharedUrl())) {
            connection.createStatement().execute("CREATE SCHEMA " + schema);
        }
        return PostgresServer.sharedUrl() + "&currentSchema=" + schema;
    }

    static String sqlite() throws IOException {
        return "jdbc:sqlite:" + Files.createTempDirectory("fences").resolve("data.db")
                + "?journal_mode=WAL&busy_timeout=20000&synchronous=OFF";
    }

    static String h2() {
        return "jdbc:h2:mem:" + newName() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000";
    }

    /** A database of its own on the server of {@link MySqlTest#VARIABLE}; its default collation ignores case and accents. */
    static String mysql() throws SQLException {
        String url = System.getenv(MySqlTest.VARIABLE);
        String name = newName();
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.createStatement().execute("CREATE DATABASE " + name + " CHARACTER SET utf8mb4");
        }
        return url.replaceFirst("^(jdbc:[a-z]+://[^/?]+)/?[^?]*", "$1/" + name);
    }

    static GuardedTable table(String url, int isolation) throws SQLException {
        return new GuardedTable(
                () -> {
                    Connection connection = DriverManager.getConnection(url);
                    connection.setTransactionIsolation(isolation);
                    return connection;
                },
                url.startsWith("jdbc:postgresql"));
    }
}
