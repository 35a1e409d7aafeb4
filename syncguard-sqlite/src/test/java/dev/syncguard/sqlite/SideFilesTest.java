package dev.syncguard.sqlite;

import static dev.syncguard.sqlite.Locks.KEY;
import static dev.syncguard.sqlite.Locks.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.LockException;
import dev.syncguard.spi.LockBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that stand where SQLite would put its own, made by somebody else. */
class SideFilesTest {

    private static final int NOBODY = 65534;

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void create() throws IOException {
        Assumptions.assumeTrue(OwnerOnly.isPosix(folder), "this system has no POSIX permissions");
        file = folder.resolve("locks.db");
        OwnerOnly.createFile(file);
    }

    private Path beside(String ending) {
        return folder.resolve("locks.db" + ending);
    }

    private void assertRefused(String reason) {
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            assertThatThrownBy(() -> Locks.grant(backend, KEY))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining(reason);
        }
    }

    private static void give(Path path, int id) throws IOException {
        try {
            Files.setAttribute(path, "unix:uid", id);
            Files.setAttribute(path, "unix:gid", id);
        } catch (IOException e) {
            Assumptions.abort("giving a file away needs root");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm", "-journal"})
    @DisplayName("another user's file is not used: keys and lock ids would be in it, and its locks would count")
    void foreignOwner(String ending) throws IOException {
        Path planted = Files.writeString(beside(ending), "x");
        Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString("rw-rw-rw-"));
        give(planted, NOBODY);

        assertRefused("its owner is not one of the lock file's users");

        assertThat(planted).hasContent("x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm", "-journal"})
    @DisplayName("a hard link to another file is not written")
    void hardLink(String ending) throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "Dear diary, today");
        Files.createLink(beside(ending), victim);

        assertRefused("hard links");

        assertThat(victim).hasContent("Dear diary, today");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm", "-journal"})
    @DisplayName("a symbolic link is not followed")
    void symbolicLink(String ending) throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "Dear diary, today");
        Files.createSymbolicLink(beside(ending), victim);

        assertRefused("link");

        assertThat(victim).hasContent("Dear diary, today");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm"})
    @DisplayName("a member of the group that shares the lock file is trusted")
    void groupMember(String ending) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
        give(Files.createFile(beside(ending)), NOBODY);
        Files.setAttribute(file, "unix:gid", NOBODY);

        try (LockBackend backend = SqliteLockBackend.open(file)) {
            backend.release(Locks.grant(backend, KEY).lockId(), NONE);
        }
    }
}
