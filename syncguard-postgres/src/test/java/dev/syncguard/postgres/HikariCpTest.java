package dev.syncguard.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.testbed.PostgresServer;
import java.sql.Connection;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which pools are asked on the caller's own thread, and how. */
class HikariCpTest {

    private static final long TWO_SECONDS = TimeUnit.SECONDS.toNanos(2);

    @ParameterizedTest
    @CsvSource({
        "750, 500, , false, true",
        "1000, 1000, , false, true",
        "1001, 250, , false, false",
        "750, 1251, , false, false",
        "750, 500, SELECT 1, false, false",
        "30000, 5000, , false, false",
        "0, 500, , false, false",
        "750, 500, , true, false"
    })
    @DisplayName("a pool that waits and tests no longer than the operation may take, and that cannot be suspended")
    void limits(long connectionTimeout, long validationTimeout, String query, boolean suspension, boolean expected) {
        try (HikariDataSource pool = TestDatabase.pool(PostgresServer.sharedUrl(), 1, config -> {
            config.setConnectionTimeout(connectionTimeout);
            config.setValidationTimeout(validationTimeout);
            config.setConnectionTestQuery(query);
            config.setAllowPoolSuspension(suspension);
        })) {
            HikariCp hikari = HikariCp.of(pool);
            assertThat(hikari).isNotNull();
            assertThat(hikari.answersWithin(TWO_SECONDS)).isEqualTo(expected);
            assertThat(hikari.size()).isEqualTo(suspension ? 0 : 1);
        }
    }

    @ParameterizedTest
    @CsvSource({"750, 2000, 3000, false", "750, 2000, 4000, true", "2100, 1000, 3200, false", "2100, 1000, 4000, true"})
    @DisplayName("over TLS each test on a silent server takes twice its time")
    void tlsTests(long connectionTimeout, long validationTimeout, long millis, boolean expected) {
        try (HikariDataSource pool = TestDatabase.pool(PostgresServer.sharedUrl(), 1, config -> {
            config.setConnectionTimeout(connectionTimeout);
            config.setValidationTimeout(validationTimeout);
        })) {
            HikariCp hikari = HikariCp.of(pool);
            assertThat(hikari).isNotNull();
            assertThat(hikari.answersWithin(TimeUnit.MILLISECONDS.toNanos(millis)))
                    .isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("not a pool whose first connection is not open yet, and no DataSource without limits")
    void others() {
        try (HikariDataSource notStarted = new HikariDataSource()) {
            notStarted.setConnectionTimeout(750);
            notStarted.setValidationTimeout(500);
            HikariCp hikari = HikariCp.of(notStarted);
            assertThat(hikari).isNotNull();
            assertThat(hikari.answersWithin(TWO_SECONDS)).isFalse();
            assertThat(hikari.size()).isZero();
            assertThat(hikari.lend(1)).isNull();
        }
        assertThat(HikariCp.of(TestDatabase.plain(PostgresServer.sharedUrl()))).isNull();
    }

    @Test
    @DisplayName(
            "a connection is lent for a wait that is shorter than the pool's own; without a free one there is none")
    void lends() throws Exception {
        HikariDataSource pool = TestDatabase.pool(PostgresServer.sharedUrl(), 1);
        HikariCp hikari = HikariCp.of(pool);
        assertThat(hikari).isNotNull();
        try (Connection lent = hikari.lend(10_000)) {
            assertThat(lent).isNotNull();
            assertThat(lent.isValid(1)).isTrue();
            assertThat(hikari.size()).isEqualTo(1);
            assertThat(hikari.lend(50)).isNull();
        } finally {
            pool.close();
        }
        assertThat(hikari.lend(1)).isNull();
    }
}
