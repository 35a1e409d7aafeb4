package dev.syncguard.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.testbed.PostgresServer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which DataSources are asked on the caller's own thread. */
class PoolLimitsTest {

    private static final long TWO_SECONDS = TimeUnit.SECONDS.toNanos(2);

    @ParameterizedTest
    @CsvSource({
        "750, 500, , true",
        "1000, 1000, , true",
        "1001, 250, , false",
        "750, 1251, , false",
        "750, 500, SELECT 1, false",
        "30000, 5000, , false",
        "0, 500, , false"
    })
    @DisplayName("a pool that waits and tests no longer than the operation may take")
    void limits(long connectionTimeout, long validationTimeout, String testQuery, boolean expected) {
        try (HikariDataSource pool = TestDatabase.pool(PostgresServer.sharedUrl(), 1, config -> {
            config.setConnectionTimeout(connectionTimeout);
            config.setValidationTimeout(validationTimeout);
            config.setConnectionTestQuery(testQuery);
        })) {
            assertThat(PoolLimits.end(pool, TWO_SECONDS)).isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("not a pool whose first connection is not open yet, and no DataSource without limits")
    void others() {
        try (HikariDataSource notStarted = new HikariDataSource()) {
            notStarted.setConnectionTimeout(750);
            notStarted.setValidationTimeout(500);
            assertThat(PoolLimits.end(notStarted, TWO_SECONDS)).isFalse();
        }
        assertThat(PoolLimits.end(TestDatabase.plain(PostgresServer.sharedUrl()), TWO_SECONDS))
                .isFalse();
    }
}
