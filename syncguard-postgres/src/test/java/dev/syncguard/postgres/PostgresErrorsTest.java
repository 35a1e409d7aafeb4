package dev.syncguard.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.postgres.PostgresErrors.Phase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.NoSuchElementException;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

/** What each SQLSTATE becomes; no server needed. */
class PostgresErrorsTest {

    private static final DataSource NOWHERE = new PGSimpleDataSource();

    @ParameterizedTest(name = "{0} is {1}, unknown outcome of a write: {2}")
    @CsvSource({
        "08000, SERVICE_UNAVAILABLE, true",
        "08001, SERVICE_UNAVAILABLE, true",
        "08003, SERVICE_UNAVAILABLE, false",
        "08006, SERVICE_UNAVAILABLE, true",
        "08P01, SERVICE_UNAVAILABLE, false",
        "57P01, SERVICE_UNAVAILABLE, true",
        "57P02, SERVICE_UNAVAILABLE, true",
        "57P03, SERVICE_UNAVAILABLE, true",
        "25006, SERVICE_UNAVAILABLE, false",
        "40001, SERVICE_UNAVAILABLE, false",
        "40P01, SERVICE_UNAVAILABLE, false",
        "53100, SERVICE_UNAVAILABLE, false",
        "53200, SERVICE_UNAVAILABLE, false",
        "58030, SERVICE_UNAVAILABLE, false",
        "3D000, INVALID_ARGUMENT, false",
        "53300, RATE_LIMITED, false",
        "28P01, AUTH_FAILED, false",
        "28000, AUTH_FAILED, false",
        "42501, AUTH_FAILED, false",
        "55P03, NETWORK_TIMEOUT, false",
        "57014, NETWORK_TIMEOUT, false",
        "22021, INVALID_ARGUMENT, false",
        "22P05, INVALID_ARGUMENT, false",
        "22003, INTERNAL, false",
        "23505, INTERNAL, false",
        "42P01, INTERNAL, false",
        "XX000, INTERNAL, false",
        "'', SERVICE_UNAVAILABLE, true",
        "X, INTERNAL, false",
    })
    void bySqlState(String state, Code code, boolean unknown) {
        SQLException failure = new SQLException("text", state.isEmpty() ? null : state);

        LockException write = PostgresErrors.translate(failure, Phase.WRITING);
        LockException read = PostgresErrors.translate(failure, Phase.READING);
        LockException connect = PostgresErrors.translate(failure, Phase.CONNECTING);

        assertThat(write.code()).isEqualTo(code);
        assertThat(write.outcomeUnknown()).isEqualTo(unknown);
        assertThat(read.code()).isEqualTo(code);
        assertThat(read.outcomeUnknown()).isFalse();
        assertThat(connect.code()).isEqualTo(code);
        assertThat(connect.outcomeUnknown()).isFalse();
    }

    @Test
    @DisplayName(
            "a socket that timed out is a timeout with an unknown outcome, although the connection is lost as well")
    void socketTimeout() {
        SQLException failure =
                new PSQLException("io", PSQLState.CONNECTION_FAILURE, new SocketTimeoutException("Read timed out"));

        LockException translated = PostgresErrors.translate(failure, Phase.WRITING);

        assertThat(translated.code()).isEqualTo(Code.NETWORK_TIMEOUT);
        assertThat(translated.outcomeUnknown()).isTrue();
    }

    @Test
    @DisplayName("an exhausted pool is RateLimited, however the pool says it")
    void exhaustedPool() {
        assertThat(connecting(new SQLTransientConnectionException("no connection, timed out"))
                        .code())
                .isEqualTo(Code.RATE_LIMITED);
        assertThat(connecting(new SQLException("pool", new NoSuchElementException()))
                        .code())
                .isEqualTo(Code.RATE_LIMITED);
    }

    @Test
    @DisplayName("a pool that could not connect is judged by what the server said")
    void poolThatCannotConnect() {
        SQLException cause = new SQLException("password", "28P01");

        assertThat(connecting(new SQLTransientConnectionException("timed out", null, cause))
                        .code())
                .isEqualTo(Code.AUTH_FAILED);
        assertThat(ConnectErrors.translatePool(new IllegalStateException(cause), NOWHERE)
                        .code())
                .isEqualTo(Code.AUTH_FAILED);
        assertThat(ConnectErrors.translatePool(new IllegalStateException(), NOWHERE)
                        .code())
                .isEqualTo(Code.SERVICE_UNAVAILABLE);
    }

    @Test
    @DisplayName("a missing table names the command that creates it")
    void missingTable() {
        assertThat(PostgresErrors.translate(new SQLException("", "42P01"), Phase.WRITING))
                .hasMessageContaining("PostgresSchema.create");
    }

    @Test
    @DisplayName("a database that does not exist is said to be so")
    void missingDatabase() {
        assertThat(connecting(new SQLException("", "3D000"))).hasMessageContaining("database does not exist");
    }

    @Test
    @DisplayName("the details of the server, which quote rows, are left out")
    void hidesDetails() {
        ServerErrorMessage server = new ServerErrorMessage("SERROR\0VERROR\0C23505\0Mduplicate key value violates"
                + " unique constraint \"x\"\0DKey (lock_id)=(secret) already exists.\0");

        LockException translated = PostgresErrors.translate(new PSQLException(server), Phase.WRITING);

        StringWriter text = new StringWriter();
        translated.printStackTrace(new PrintWriter(text));
        assertThat(text.toString()).contains("duplicate key").doesNotContain("secret");
    }

    @Test
    @DisplayName("a session that the server ended for another reason may have committed")
    void fatal() {
        ServerErrorMessage server = new ServerErrorMessage("SFATAL\0VFATAL\0C25P03\0Mterminating connection\0");

        assertThat(PostgresErrors.translate(new PSQLException(server), Phase.WRITING)
                        .outcomeUnknown())
                .isTrue();
    }

    private static LockException connecting(SQLException e) {
        return PostgresErrors.translate(e, Phase.CONNECTING);
    }
}
