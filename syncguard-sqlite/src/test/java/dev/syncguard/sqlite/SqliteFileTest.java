package dev.syncguard.sqlite;

import static dev.syncguard.sqlite.Locks.KEY;
import static dev.syncguard.sqlite.Locks.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file: created, refused, replaced, damaged. */
class SqliteFileTest {

    @TempDir
    Path folder;

    private static LockException failure(Path file) {
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            LockException failure = catchThrowableOfType(LockException.class, () -> Locks.acquire(backend, KEY));
            assertThat(failure).as("the failure").isNotNull();
            assertThat(failure.outcomeUnknown()).isFalse();
            return failure;
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    @DisplayName("file, folders and the files beside it are created for their owner only")
    void ownerOnly() throws IOException {
        Assumptions.assumeTrue(OwnerOnly.isPosix(folder), "this system has no POSIX permissions");
        Path file = folder.resolve("a").resolve("b").resolve("locks.db");
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);

            Set<String> names = new HashSet<>();
            try (Stream<Path> files = Files.list(file.getParent())) {
                for (Path created : files.toList()) {
                    names.add(created.getFileName().toString());
                    assertThat(permissions(created)).as(created.toString()).isEqualTo("rw-------");
                }
            }
            assertThat(names)
                    .containsExactlyInAnyOrder(
                            "locks.db", "locks.db-wal", "locks.db-shm", "locks.db-queue", ".locks.db-opening");
            assertThat(permissions(folder.resolve("a"))).isEqualTo("rwx------");
            assertThat(permissions(folder.resolve("a").resolve("b"))).isEqualTo("rwx------");
        }
    }

    @Test
    @DisplayName("permissions of what exists are left as they are")
    void existing() throws IOException {
        Assumptions.assumeTrue(OwnerOnly.isPosix(folder), "this system has no POSIX permissions");
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwx---"));
        Path file = Files.createFile(shared.resolve("locks.db"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));

        try (LockBackend backend = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);
        }

        assertThat(permissions(file)).isEqualTo("rw-rw----");
        assertThat(permissions(shared)).isEqualTo("rwxrwx---");
    }

    @Test
    @DisplayName("a file that was restored from a dump, without its write-ahead log, keeps locks at once")
    void restoredFromDump() throws SQLException {
        Path file = folder.resolve("restored.db");
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);
        }
        try (Connection plain = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = plain.createStatement()) {
            statement.execute("PRAGMA journal_mode = DELETE");
        }

        try (LockBackend backend = SqliteLockBackend.open(file)) {
            assertThat(Locks.acquire(backend, KEY)).isInstanceOf(Refused.class);
        }
    }

    @Test
    @DisplayName("nothing is created before the first operation")
    void lazy() {
        Path file = folder.resolve("later").resolve("locks.db");

        SqliteLockBackend.open(file).close();

        assertThat(file.getParent()).doesNotExist();
    }

    @Test
    @DisplayName("characters that mean something in a URL mean nothing in a path")
    void oddNames() {
        Path file = folder.resolve("a?b=c&mode=memory#d %41.db");
        try (LockBackend backend = SqliteLockBackend.open(file);
                LockBackend other = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);

            assertThat(Locks.acquire(other, KEY)).isInstanceOf(Refused.class);
        }
        assertThat(file).isRegularFile();
    }

    @Test
    @DisplayName("two backends that reach the file by different paths share its locks")
    void symbolicLinks() throws IOException {
        Path real = Files.createDirectory(folder.resolve("real"));
        Path linkedFolder = Files.createSymbolicLink(folder.resolve("link"), real);
        Path file = real.resolve("locks.db");
        try (LockBackend direct = SqliteLockBackend.open(file)) {
            LockKey other = LockKey.of("other");
            Locks.grant(direct, KEY);
            Path linkedFile = Files.createSymbolicLink(folder.resolve("locks"), file);
            try (LockBackend byFolder = SqliteLockBackend.open(linkedFolder.resolve("locks.db"));
                    LockBackend byFile = SqliteLockBackend.open(linkedFile)) {
                assertThat(Locks.acquire(byFolder, KEY)).isInstanceOf(Refused.class);
                assertThat(Locks.acquire(byFile, KEY)).isInstanceOf(Refused.class);
                Locks.grant(byFile, other);
            }
            // Closing those dropped nothing of this one's.
            assertThat(direct.isLocked(other, NONE)).isTrue();
            Locks.grant(direct, LockKey.of("third"));
        }
    }

    @Test
    @DisplayName("a file with hard links is refused: each name would have its own log")
    void hardLinks() throws IOException {
        Path file = folder.resolve("locks.db");
        SqliteLockBackend.open(file).isLocked(KEY, NONE);
        try {
            Files.createLink(folder.resolve("other.db"), file);
        } catch (UnsupportedOperationException e) {
            Assumptions.abort("this file system has no hard links");
        }

        assertThat(failure(folder.resolve("other.db"))).hasMessageContaining("hard links");
    }

    @ParameterizedTest
    @ValueSource(strings = {"locks.db", "two words \\ ü.db"})
    @DisplayName("a file that is mounted by itself is refused: its log would lie in another folder")
    void mounted(String name) throws Exception {
        Path host = Files.createDirectory(folder.resolve("host")).resolve("locks.db");
        Path container = Files.createFile(
                Files.createDirectory(folder.resolve("container")).resolve(name));
        try (LockBackend backend = SqliteLockBackend.open(host)) {
            Locks.grant(backend, KEY);
            Assumptions.assumeTrue(
                    Commands.succeed("mount", "--bind", host.toString(), container.toString()),
                    "mounting a file needs Linux and root");
            try {
                assertThat(failure(container).code()).isEqualTo(Code.INVALID_ARGUMENT);
                assertThat(failure(container)).hasMessageContaining("mount its folder");
            } finally {
                assertThat(Commands.succeed("umount", container.toString())).isTrue();
            }
        }
    }

    @Test
    @DisplayName("a folder is refused")
    void isFolder() {
        LockException failure = failure(folder);

        assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(failure).hasMessageContaining("name a file");
    }

    @Test
    @DisplayName("a file below a file cannot be created, and the message names it")
    void belowFile() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        LockException failure = failure(file.resolve("locks.db"));

        assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
        assertThat(failure).hasMessageContaining(file.toString());
    }

    @Test
    @DisplayName("a folder without permission is AuthFailed")
    void noPermission() throws IOException {
        Path locked = Files.createDirectory(folder.resolve("locked"));
        Assumptions.assumeTrue(OwnerOnly.isPosix(folder), "this system has no POSIX permissions");
        Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-x------"));
        Assumptions.assumeFalse(Files.isWritable(locked), "root may write everywhere");

        assertThat(failure(locked.resolve("locks.db")).code()).isEqualTo(Code.AUTH_FAILED);
    }

    @Test
    @DisplayName("a link that leads nowhere is an error, not a new file")
    void brokenLink() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));

        assertThat(failure(link).code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    }

    @Test
    @DisplayName("a file that is not a database is left as it is")
    void notDatabase() throws IOException {
        String text = "Dear diary, ".repeat(1000);
        Path file = Files.writeString(folder.resolve("diary.txt"), text);

        LockException failure = failure(file);

        assertThat(failure.code()).isEqualTo(Code.INTERNAL);
        assertThat(failure).hasMessageContaining("choose another file");
        assertThat(file).hasContent(text);
    }

    @Test
    @DisplayName("a database of something else is left as it is, its journal mode included")
    void foreignDatabase() {
        Path file = folder.resolve("songs.db");
        SqliteProbe probe = new SqliteProbe(file);
        probe.execute("CREATE TABLE songs (title TEXT)");

        LockException failure = failure(file);

        assertThat(failure.code()).isEqualTo(Code.INTERNAL);
        assertThat(failure).hasMessageContaining("choose another file");
        String mode = probe.query("PRAGMA journal_mode", rows -> rows.getString(1));
        assertThat(mode).isEqualTo("delete");
    }

    @Test
    @DisplayName("tables of the same name with other columns are refused")
    void foreignTables() {
        Path file = folder.resolve("locks.db");
        SqliteProbe probe = new SqliteProbe(file);
        // An integer key would make one lock of "01" and "1".
        probe.execute("CREATE TABLE syncguard_locks (key INTEGER PRIMARY KEY, lock_id TEXT, expires_at_ms BIGINT,"
                + " acquired_at_ms BIGINT, fence TEXT, user_key TEXT)");
        probe.execute("CREATE TABLE syncguard_fence_counters (fence_key TEXT PRIMARY KEY, fence BIGINT)");

        assertThat(failure(file).code()).isEqualTo(Code.INTERNAL);
    }

    @Test
    @DisplayName("a damaged file fails closed")
    void corrupted() throws IOException {
        Path file = folder.resolve("locks.db");
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);
            Locks.awaitStartCheck();
        }
        byte[] bytes = Files.readAllBytes(file);
        for (int i = 4096; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        Files.write(file, bytes);

        assertThat(failure(file).code()).isEqualTo(Code.INTERNAL);
    }

    @Test
    @DisplayName("without its queue the file still works: the queue is fairness only")
    void queueDamaged() throws IOException {
        Path file = folder.resolve("locks.db");
        Files.createDirectory(folder.resolve("locks.db-queue"));
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);
            assertThat(Locks.acquire(backend, KEY)).isInstanceOf(Refused.class);
        }
    }

    @Test
    @DisplayName("a file that is replaced while in use is noticed, and the next operation uses the new one")
    void replaced() throws IOException {
        Path file = folder.resolve("locks.db");
        Path fresh = folder.resolve("fresh.db");
        LockId kept;
        try (LockBackend other = SqliteLockBackend.open(fresh)) {
            kept = Locks.grant(other, KEY).lockId();
        }
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            LockId lost = Locks.grant(backend, KEY).lockId();
            Files.delete(folder.resolve("locks.db-wal"));
            Files.delete(folder.resolve("locks.db-shm"));
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);

            assertThat(backend.release(lost, NONE)).isEqualTo(ReleaseOutcome.NOT_FOUND);
            assertThat(backend.release(kept, NONE)).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }
}
