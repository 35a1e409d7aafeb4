package dev.syncguard.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.sqlite.SqliteErrors.Phase;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What each result code becomes; no file needed. */
class SqliteErrorsTest {

    @ParameterizedTest(name = "{0} is {1}, unknown outcome of a commit: {2}")
    @CsvSource({
        "SQLITE_BUSY, NETWORK_TIMEOUT, false",
        "SQLITE_BUSY_SNAPSHOT, NETWORK_TIMEOUT, false",
        "SQLITE_BUSY_RECOVERY, NETWORK_TIMEOUT, false",
        "SQLITE_LOCKED, NETWORK_TIMEOUT, false",
        "SQLITE_PROTOCOL, NETWORK_TIMEOUT, true",
        "SQLITE_INTERRUPT, NETWORK_TIMEOUT, true",
        "SQLITE_FULL, SERVICE_UNAVAILABLE, false",
        "SQLITE_IOERR, SERVICE_UNAVAILABLE, true",
        "SQLITE_IOERR_FSYNC, SERVICE_UNAVAILABLE, true",
        "SQLITE_IOERR_SHMSIZE, SERVICE_UNAVAILABLE, true",
        "SQLITE_IOERR_WRITE, SERVICE_UNAVAILABLE, true",
        "SQLITE_CANTOPEN, SERVICE_UNAVAILABLE, true",
        "SQLITE_NOMEM, SERVICE_UNAVAILABLE, true",
        "SQLITE_READONLY, AUTH_FAILED, false",
        "SQLITE_READONLY_DIRECTORY, AUTH_FAILED, false",
        "SQLITE_PERM, AUTH_FAILED, true",
        "SQLITE_AUTH, AUTH_FAILED, true",
        "SQLITE_CORRUPT, INTERNAL, true",
        "SQLITE_NOTADB, INTERNAL, true",
        "SQLITE_CONSTRAINT_UNIQUE, INTERNAL, true",
        "SQLITE_ERROR, INTERNAL, true",
        "UNKNOWN_ERROR, INTERNAL, true",
    })
    void byResultCode(SQLiteErrorCode reason, Code code, boolean unknown) {
        SQLException failure = new SQLiteException("text", reason);

        LockException commit = SqliteErrors.translate(failure, Phase.COMMITTING);
        LockException before = SqliteErrors.translate(failure, Phase.WORKING);

        assertThat(commit.code()).isEqualTo(code);
        assertThat(commit.outcomeUnknown()).isEqualTo(unknown);
        assertThat(before.code()).isEqualTo(code);
        assertThat(before.outcomeUnknown()).isFalse();
        assertThat(before).hasMessageContaining(reason.name());
    }

    @Test
    @DisplayName("what the driver throws without a result code is Internal")
    void withoutCode() {
        assertThat(SqliteErrors.translate(new SQLException("text"), Phase.WORKING)
                        .code())
                .isEqualTo(Code.INTERNAL);
    }
}
