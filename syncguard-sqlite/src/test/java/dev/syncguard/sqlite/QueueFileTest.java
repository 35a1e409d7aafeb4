package dev.syncguard.sqlite;

import static dev.syncguard.sqlite.Locks.KEY;
import static dev.syncguard.sqlite.Locks.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.LockBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue file that is a trap, or that belongs to another user. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class QueueFileTest {

    private static final int NOBODY = 65534;

    @TempDir
    Path folder;

    private Path file;
    private Path queue;

    @BeforeEach
    void create() throws IOException {
        Assumptions.assumeTrue(OwnerOnly.isPosix(folder), "this system has no POSIX permissions");
        file = folder.resolve("locks.db");
        queue = folder.resolve("locks.db-queue");
        OwnerOnly.createFile(file);
    }

    /** Locks work without the queue, and the log says once why there is none. */
    private void assertUnused(String reason) {
        try (LoggedWarnings warnings = LoggedWarnings.capture();
                LockBackend backend = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);
            assertThat(Locks.acquire(backend, KEY)).isInstanceOf(Refused.class);
            Locks.grant(backend, LockKey.of("second"));

            assertThat(warnings.containing("locks.db-queue"))
                    .singleElement()
                    .asString()
                    .contains(reason);
        }
    }

    private void assertUsed() {
        try (LoggedWarnings warnings = LoggedWarnings.capture();
                LockBackend backend = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);

            assertThat(warnings.containing("locks.db-queue")).isEmpty();
            assertThat(queue).hasSize(16);
        }
    }

    private static void permit(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private static void give(Path path, String attribute, int id) throws IOException {
        try {
            Files.setAttribute(path, "unix:" + attribute, id);
        } catch (IOException e) {
            Assumptions.abort("giving a file away needs root");
        }
    }

    @Test
    @DisplayName("a symbolic link is not followed")
    void symbolicLink() throws IOException {
        Path victim = Files.createFile(folder.resolve("victim"));
        permit(victim, "rw-------");
        Files.createSymbolicLink(queue, victim);

        assertUnused("link");

        assertThat(victim).isEmptyFile();
    }

    @Test
    @DisplayName("nor is a link that leads nowhere, and nothing is created there")
    void brokenLink() throws IOException {
        Files.createSymbolicLink(queue, folder.resolve("nowhere"));

        assertUnused("link");

        assertThat(folder.resolve("nowhere")).doesNotExist();
    }

    @Test
    @DisplayName("a hard link to another file is not written")
    void hardLink() throws IOException {
        Path victim = Files.createFile(folder.resolve("victim"));
        permit(victim, "rw-------");
        Files.createLink(queue, victim);

        assertUnused("hard links");

        assertThat(victim).isEmptyFile();
    }

    @Test
    @DisplayName("a file with other content is left as it is")
    void otherContent() throws IOException {
        Files.writeString(queue, "Dear diary, today");
        permit(queue, "rw-------");

        assertUnused("content");

        assertThat(queue).hasContent("Dear diary, today");
    }

    @Test
    @DisplayName("a pipe makes no operation wait")
    void pipe() throws Exception {
        Process made = new ProcessBuilder("mkfifo", "-m", "600", queue.toString()).start();
        Assumptions.assumeTrue(made.waitFor() == 0, "this system has no mkfifo");

        assertUnused("device");
    }

    @Test
    @DisplayName("a file that more users can write than the lock file is not trusted")
    void widePermissions() throws IOException {
        Files.createFile(queue);
        permit(queue, "rw-rw-rw-");

        assertUnused("permissions");
    }

    @Test
    @DisplayName("a file of a user who cannot write the lock file is not trusted")
    void foreignOwner() throws IOException {
        Files.createFile(queue);
        permit(queue, "rw-------");
        give(queue, "uid", NOBODY);

        assertUnused("owner");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "rw-rw----", "rw-rw-rw-"})
    @DisplayName("it is created for the users of the lock file")
    void shared(String permissions) throws IOException {
        permit(file, permissions);

        assertUsed();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(queue)))
                .isEqualTo(permissions);
    }

    @Test
    @DisplayName("root gives it to the owner and the group of the lock file")
    void byRoot() throws IOException {
        give(file, "uid", NOBODY);
        give(file, "gid", NOBODY);

        assertUsed();

        assertThat(Files.getAttribute(queue, "unix:uid")).isEqualTo(NOBODY);
        assertThat(Files.getAttribute(queue, "unix:gid")).isEqualTo(NOBODY);
    }

    @Test
    @DisplayName("a member of the group that shares the lock file is trusted")
    void groupMember() throws IOException {
        permit(file, "rw-rw----");
        give(file, "gid", NOBODY);
        Files.createFile(queue);
        permit(queue, "rw-rw----");
        give(queue, "uid", NOBODY);
        give(queue, "gid", NOBODY);

        assertUsed();
    }

    @Test
    @DisplayName("locks that another program keeps on it delay an operation by less than its command timeout")
    void foreignLock() throws Exception {
        Duration limit = Duration.ofSeconds(4);
        try (LockBackend backend =
                SqliteLockBackend.builder(file).commandTimeout(limit).build()) {
            backend.release(Locks.grant(backend, KEY).lockId(), NONE);
            try (Child program = Child.start("lock", folder.resolve("locks.db-queue"));
                    LoggedWarnings warnings = LoggedWarnings.capture()) {
                assertThat(program.line()).isEqualTo("ready");
                for (int i = 0; i < 3; i++) {
                    long start = System.nanoTime();
                    backend.release(Locks.grant(backend, KEY).lockId(), NONE);
                    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(limit);
                }
                assertThat(warnings.containing("locks.db-queue"))
                        .singleElement()
                        .asString()
                        .contains("keeps locks");
                program.go();
                assertThat(program.exitCode()).isZero();
            }
            backend.release(Locks.grant(backend, KEY).lockId(), NONE);
        }
    }
}
