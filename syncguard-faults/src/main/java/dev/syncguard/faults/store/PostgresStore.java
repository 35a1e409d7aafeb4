package dev.syncguard.faults.store;

import dev.syncguard.FenceMode;
import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.nemesis.NetworkFaults;
import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.postgres.PostgresSchema;
import dev.syncguard.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/** One PostgreSQL server whose commits survive a crash of its processes. */
public final class PostgresStore implements TestStore {

    private final PostgresServer server;
    private final Proxies proxies;
    private final PGSimpleDataSource direct = new PGSimpleDataSource();

    /**
     * Starts a server.
     *
     * @param clients how many clients get a network of their own
     */
    public PostgresStore(int clients) {
        // A crash of processes loses nothing that was handed to the system, so the disk need not be waited for.
        server = PostgresServer.start(
                Map.of("max_connections", "300", "fsync", "off", "synchronous_commit", "on", "shared_buffers", "64MB"));
        proxies = new Proxies(clients, server.port());
        direct.setUrl(server.url());
        PostgresSchema.create(direct, PostgresNames.defaults());
    }

    @Override
    public String url(int client) {
        return "jdbc:postgresql://127.0.0.1:" + proxies.port(client, server.port()) + "/postgres?user=postgres";
    }

    @Override
    public List<Fault> faults(FenceMode mode) {
        List<Fault> faults = new ArrayList<>(new NetworkFaults(proxies::all).all());
        faults.addAll(new PostgresFaults(server, direct).all());
        if (mode == FenceMode.TIME_FLOORED) {
            faults.add(new PostgresDataLoss(server).lostCommits());
        }
        return faults;
    }

    @Override
    public void heal() {
        proxies.heal();
    }

    @Override
    public Leftovers leftovers() {
        return SqlContents.of(() -> direct.getConnection());
    }

    /** What a statement gives, on a connection that knows no faults. */
    static void run(PGSimpleDataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row; empty if there is none. */
    static String first(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : "";
        }
    }

    @Override
    public void close() {
        proxies.close();
        server.close();
    }
}
