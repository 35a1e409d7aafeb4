package dev.syncguard.sqlite;

import static dev.syncguard.sqlite.Locks.KEY;
import static dev.syncguard.sqlite.Locks.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LockBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two copies of the module and the driver in one JVM, each from a class loader of its own. */
class JvmClaimsTest {

    private static final String REFUSED = "another copy of syncguard-sqlite in this JVM";

    @TempDir
    Path folder;

    private Path file;
    private OtherCopy other;

    @BeforeEach
    void load() throws ReflectiveOperationException {
        file = folder.resolve("locks.db");
        other = OtherCopy.load();
    }

    @AfterEach
    void close() throws Exception {
        other.close();
    }

    @Test
    @DisplayName("a file that one copy has open is refused to the other, with what to do")
    void refused() {
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);

            assertThat(other.apply(file)).contains(REFUSED).contains("class loader that both share");
            assertThat(backend.isLocked(KEY, NONE)).isTrue();
        }
    }

    @Test
    @DisplayName("by whatever path the other one comes")
    void refusedByLink() throws Exception {
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            backend.isLocked(KEY, NONE);
            Path link = Files.createSymbolicLink(folder.resolve("link"), file);

            assertThat(other.apply(link)).contains(REFUSED);
        }
    }

    @Test
    @DisplayName("the file is free for the other copy once the first one has closed it")
    void oneAfterTheOther() throws Exception {
        try (LockBackend second = SqliteLockBackend.open(file)) {
            try (LockBackend backend = SqliteLockBackend.open(file)) {
                Locks.grant(backend, KEY);
                second.isLocked(KEY, NONE);
                Locks.awaitStartCheck();
            }
            assertThat(other.apply(file)).contains(REFUSED);
        }

        assertThat(other.apply(file)).isEqualTo("granted");

        try (LockBackend again = SqliteLockBackend.open(file)) {
            LockException failure = catchThrowableOfType(LockException.class, () -> again.isLocked(KEY, NONE));
            assertThat(failure).isNotNull().hasMessageContaining(REFUSED);
            assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
            Locks.awaitStartCheck();
            other.close();
            assertThat(again.isLocked(KEY, NONE)).isTrue();
        }
    }

    @Test
    @DisplayName("copies with a file each do not disturb each other")
    void twoFiles() {
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);

            assertThat(other.apply(folder.resolve("other.db"))).isEqualTo("granted");
        }
    }
}
