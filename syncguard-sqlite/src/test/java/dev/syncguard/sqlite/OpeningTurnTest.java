package dev.syncguard.sqlite;

import static dev.syncguard.sqlite.Locks.KEY;
import static dev.syncguard.sqlite.Locks.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LockBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes open the lock file one after the other. */
@Timeout(120)
class OpeningTurnTest {

    @TempDir
    Path folder;

    private Path file;
    private Path turn;

    @BeforeEach
    void create() {
        file = folder.resolve("locks.db");
        turn = folder.resolve(".locks.db-opening");
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            backend.isLocked(KEY, NONE);
        }
    }

    @Test
    @DisplayName("nothing is opened beside a process that was stopped in its turn, until that has gone")
    void stopped() throws Exception {
        try (Child stopped = Child.start("lock", turn);
                LockBackend backend = SqliteLockBackend.builder(file)
                        .commandTimeout(Duration.ofMillis(500))
                        .build()) {
            assertThat(stopped.line()).isEqualTo("ready");

            LockException failure = catchThrowableOfType(LockException.class, () -> Locks.acquire(backend, KEY));

            assertThat(failure).hasMessageContaining("takes too long to open");
            assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
            assertThat(failure.outcomeUnknown()).isFalse();
            assertThat(folder.resolve("locks.db-wal")).as("the log").doesNotExist();
        }
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);
        }
    }

    @Test
    @DisplayName("a lock on a file that was removed gives no process the turn")
    void removed() throws Exception {
        try (Child other = Child.start("lock", turn);
                LockBackend backend = SqliteLockBackend.open(file)) {
            assertThat(other.line()).isEqualTo("ready");
            Files.delete(turn);

            Locks.grant(backend, KEY);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("where the file cannot be used nothing is opened, and the message names it")
    void unusable(boolean isFolder) throws IOException {
        if (isFolder) {
            Files.delete(turn);
            Files.createDirectory(turn);
        } else {
            Files.writeString(turn, "content");
        }
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            LockException failure = catchThrowableOfType(LockException.class, () -> Locks.acquire(backend, KEY));

            assertThat(failure).hasMessageContaining(turn.toString());
            assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
            assertThat(failure.outcomeUnknown()).isFalse();
            Files.delete(turn);
            Locks.grant(backend, KEY);
        }
    }
}
