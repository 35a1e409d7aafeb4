package dev.syncguard.fence.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A database whose table of fences is known. */
public enum SqlDialect {
    /** PostgreSQL, and what speaks its language. */
    POSTGRESQL,
    /** SQLite. */
    SQLITE,
    /** H2. */
    H2,
    /** MySQL 8.0.17 or newer. */
    MYSQL,
    /** MariaDB. */
    MARIADB,
    /** Any other database that has {@code SELECT … FOR UPDATE}. Its DDL does not look whether the table exists. */
    OTHER;

    /** In PostgreSQL, in H2 (tables and schemas), in MySQL and MariaDB, in Derby. */
    private static final Set<String> MISSING_TABLE =
            Set.of("42P01", "3F000", "42S02", "42S03", "42S04", "90079", "42X05");

    /** MySQL's own number for a database that does not exist; the SQLSTATE beside it stands for many things. */
    private static final int UNKNOWN_DATABASE = 1049;

    /** By the name that the driver gives; known without a round trip. */
    static SqlDialect of(Connection connection) throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        return switch (about.getDatabaseProductName().toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "sqlite" -> SQLITE;
            case "h2" -> H2;
            // MySQL's driver calls a MariaDB MySQL, too.
            case "mysql" ->
                about.getDatabaseProductVersion().toLowerCase(Locale.ROOT).contains("mariadb") ? MARIADB : MYSQL;
            case "mariadb" -> MARIADB;
            default -> OTHER;
        };
    }

    boolean hasUpsert() {
        return this == POSTGRESQL || this == SQLITE;
    }

    /** Whether a plain SELECT may show an older row than the one that an UPDATE before it met. */
    boolean readsSnapshots() {
        return this != POSTGRESQL && this != SQLITE;
    }

    boolean isMissingTable(SQLException e) {
        return MISSING_TABLE.contains(text(e.getSQLState()))
                || switch (this) {
                    // It has no SQLSTATE, only this text, which is the same in every locale.
                    case SQLITE -> text(e.getMessage()).contains("no such table");
                    case MYSQL, MARIADB -> e.getErrorCode() == UNKNOWN_DATABASE;
                    default -> false;
                };
    }

    /** Class 23 also has other constraints, but no other one fits the table. */
    static boolean isDuplicate(SQLException e) {
        return text(e.getSQLState()).startsWith("23");
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
