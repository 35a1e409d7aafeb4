package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.spi.LockIds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The statements of our backend, as it sends them, with nothing but the driver around them. */
final class OwnStatements implements Candidate {

    private final HikariDataSource source;
    private final RecordedCycle recorded;

    OwnStatements(HikariDataSource source) throws SQLException {
        this.source = source;
        PostgresBed.backend(source, PostgresNames.defaults()).close();
        this.recorded = RecordedCycle.on(source);
    }

    @Override
    public void locked(String key, Runnable body) throws SQLException {
        String lockId = LockIds.random().value();
        run(recorded.acquire(), key, lockId);
        body.run();
        run(recorded.release(), key, lockId);
    }

    private void run(RecordedCycle.Recorded recording, String key, String lockId) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(recording.sql())) {
            recorded.bind(recording, statement, key, lockId);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    throw new IllegalStateException("no answer");
                }
            }
        }
    }

    @Override
    public void close() {
        source.close();
    }
}
