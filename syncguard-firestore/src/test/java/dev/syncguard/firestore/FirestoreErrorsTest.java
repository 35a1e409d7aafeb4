package dev.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.gax.grpc.GrpcStatusCode;
import com.google.api.gax.rpc.ApiExceptionFactory;
import com.google.cloud.firestore.FirestoreException;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.ConflictException;
import io.grpc.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class FirestoreErrorsTest {

    private static Throwable failure(Status.Code code) {
        Throwable cause = new IllegalStateException("quotes documents/locks/raw-key");
        return ApiExceptionFactory.createException("quotes locks/raw-key", cause, GrpcStatusCode.of(code), false);
    }

    @ParameterizedTest
    @CsvSource({
        "CANCELLED, SERVICE_UNAVAILABLE, SERVICE_UNAVAILABLE, true",
        "UNKNOWN, SERVICE_UNAVAILABLE, SERVICE_UNAVAILABLE, true",
        "INVALID_ARGUMENT, INVALID_ARGUMENT, SERVICE_UNAVAILABLE, true",
        "DEADLINE_EXCEEDED, NETWORK_TIMEOUT, NETWORK_TIMEOUT, true",
        "NOT_FOUND, INVALID_ARGUMENT, SERVICE_UNAVAILABLE, true",
        "ALREADY_EXISTS, INTERNAL, INTERNAL, true",
        "PERMISSION_DENIED, AUTH_FAILED, AUTH_FAILED, false",
        "RESOURCE_EXHAUSTED, RATE_LIMITED, RATE_LIMITED, true",
        "FAILED_PRECONDITION, INVALID_ARGUMENT, SERVICE_UNAVAILABLE, true",
        "ABORTED, SERVICE_UNAVAILABLE, SERVICE_UNAVAILABLE, false",
        "OUT_OF_RANGE, INTERNAL, INTERNAL, true",
        "UNIMPLEMENTED, INTERNAL, INTERNAL, true",
        "INTERNAL, SERVICE_UNAVAILABLE, SERVICE_UNAVAILABLE, true",
        "UNAVAILABLE, SERVICE_UNAVAILABLE, SERVICE_UNAVAILABLE, true",
        "DATA_LOSS, INTERNAL, INTERNAL, true",
        "UNAUTHENTICATED, AUTH_FAILED, AUTH_FAILED, true"
    })
    @DisplayName("every status has its code; only after a commit was sent the outcome can be unknown")
    void table(Status.Code status, Code code, Code afterCommit, boolean unknownAfterCommit) {
        assertThat(FirestoreErrors.translate(failure(status), false)).satisfies(before -> {
            assertThat(before.code()).isEqualTo(code);
            assertThat(before.outcomeUnknown()).isFalse();
        });
        assertThat(FirestoreErrors.translate(failure(status), true)).satisfies(after -> {
            assertThat(after.code()).isEqualTo(afterCommit);
            assertThat(after.outcomeUnknown()).isEqualTo(unknownAfterCommit);
        });
    }

    @ParameterizedTest
    @EnumSource(value = Status.Code.class, names = "OK", mode = Mode.EXCLUDE)
    @DisplayName("neither message nor cause repeats what the service said")
    void hidesText(Status.Code status) {
        StringWriter text = new StringWriter();
        FirestoreErrors.translate(failure(status), true).printStackTrace(new PrintWriter(text));

        assertThat(text.toString()).doesNotContain("raw-key").contains(status.name());
    }

    @Test
    @DisplayName("a conflict is told from other failures, also inside the client's own exception")
    void conflict() {
        FirestoreException wrapped =
                FirestoreException.forServerRejection(Status.ABORTED, "too much contention on locks/raw-key");

        assertThat(FirestoreErrors.isConflict(wrapped, true)).isTrue();
        assertThat(FirestoreErrors.isConflict(failure(Status.Code.ABORTED), false))
                .isTrue();
        assertThat(FirestoreErrors.isConflict(failure(Status.Code.UNAVAILABLE), true))
                .isFalse();
        assertThat(FirestoreErrors.isConflict(new IllegalStateException("no status"), true))
                .isFalse();
        assertThat(FirestoreErrors.translate(wrapped, true)).isInstanceOf(ConflictException.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {"FAILED_PRECONDITION", "ALREADY_EXISTS", "NOT_FOUND"})
    @DisplayName("a condition that a commit did not meet is a conflict; the same answer to a read is not")
    void changedMeanwhile(Status.Code status) {
        assertThat(FirestoreErrors.isConflict(failure(status), true)).isTrue();
        assertThat(FirestoreErrors.isConflict(failure(status), false)).isFalse();
        assertThat(FirestoreErrors.conflict(failure(status)).outcomeUnknown()).isFalse();
    }

    @Test
    @DisplayName("our own time limit is a timeout, a closed client is unavailable, a lock exception stays as it is")
    void others() {
        LockException own = new LockException(Code.INTERNAL, "own");

        assertThat(FirestoreErrors.translate(new TimeoutException(), true).code())
                .isEqualTo(Code.NETWORK_TIMEOUT);
        assertThat(FirestoreErrors.translate(new IllegalStateException("closed"), false)
                        .code())
                .isEqualTo(Code.SERVICE_UNAVAILABLE);
        assertThat(FirestoreErrors.translate(own, true)).isSameAs(own);
        assertThat(FirestoreErrors.unknown(own)).satisfies(unknown -> {
            assertThat(unknown.code()).isEqualTo(Code.INTERNAL);
            assertThat(unknown.outcomeUnknown()).isTrue();
        });
    }
}
