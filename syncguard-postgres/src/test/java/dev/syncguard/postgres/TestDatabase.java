package dev.syncguard.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A schema that no other test uses, with tables for locks, on a real server. */
final class TestDatabase implements AutoCloseable {

    final String url;
    final PostgresNames names;
    final HikariDataSource pool;

    private TestDatabase(String url, PostgresNames names, HikariDataSource pool) {
        this.url = url;
        this.names = names;
        this.pool = pool;
    }

    static TestDatabase create() {
        return create(PostgresServer.sharedUrl());
    }

    static TestDatabase create(String url) {
        return create(url, PostgresNames.defaults().inSchema(newName()), 16);
    }

    static TestDatabase create(String url, PostgresNames names, int connections) {
        PostgresSchema.create(plain(url), names);
        return new TestDatabase(url, names, pool(url, connections));
    }

    static String newName() {
        return "t_" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    static HikariDataSource pool(String url, int connections) {
        return pool(url, connections, config -> {});
    }

    static HikariDataSource pool(String url, int connections, Consumer<HikariConfig> settings) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(10_000);
        settings.accept(config);
        return new HikariDataSource(config);
    }

    /** A pool that hands out an idle connection without a test, however long a slow machine left it idle. */
    static HikariDataSource poolWithoutTests(String url, int connections) {
        String window = "com.zaxxer.hikari.aliveBypassWindowMs";
        System.setProperty(window, Long.toString(Duration.ofHours(1).toMillis()));
        try {
            return pool(url, connections);
        } finally {
            System.clearProperty(window);
        }
    }

    /** Connections of their own, without a pool. */
    static DataSource plain(String url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        return source;
    }

    PostgresLockBackendBuilder builder() {
        return PostgresLockBackend.builder(pool).names(names);
    }

    /** A backend whose sessions have a setting. */
    PostgresLockBackend withSetting(String setting) {
        return PostgresLockBackend.builder(plain(url + "&options=-c%20" + setting))
                .names(names)
                .build();
    }

    Connection connect() throws SQLException {
        return plain(url).getConnection();
    }

    /** Runs a statement behind the back of the backend; {locks} and {counters} stand for the tables. */
    void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(named(sql));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the first column of the first row. */
    String query(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(named(sql))) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    String named(String sql) {
        return sql.replace("{locks}", names.quotedLocks()).replace("{counters}", names.quotedCounters());
    }

    @Override
    public void close() {
        pool.close();
        if (!names.schema().equals("public")) {
            execute("DROP SCHEMA \"" + names.schema() + "\" CASCADE");
        }
    }
}
