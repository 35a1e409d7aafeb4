package dev.syncguard.sqlite;

import static dev.syncguard.sqlite.Locks.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.Fence;
import dev.syncguard.Finding;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.LockBackend;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk without room, or that cannot be written: a small one in memory, which takes root to mount. */
class SqliteFullDiskTest {

    @TempDir
    Path folder;

    private Path disk;
    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        mounted = Commands.succeed("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString());
        Assumptions.assumeTrue(mounted, "mounting a small disk needs Linux and root");
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            // Lazily: the queue's mapped memory stays until it is garbage.
            assertThat(Commands.succeed("umount", "-l", disk.toString())).isTrue();
        }
    }

    private static void fill(Path file) throws IOException {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    @Test
    @DisplayName("on a full disk nothing is granted, nothing is lost, and room mends it")
    void full() throws Exception {
        try (LockBackend backend = SqliteLockBackend.open(disk.resolve("locks.db"))) {
            Granted held = Locks.grant(backend, LockKey.of("held"));
            fill(disk.resolve("filler"));

            Fence highest = new Fence(0);
            LockException failure = null;
            LockKey key = LockKey.of("many");
            while (failure == null) {
                try {
                    Granted granted = Locks.grant(backend, key);
                    assertThat(granted.fence()).isGreaterThan(highest);
                    highest = granted.fence();
                    backend.release(granted.lockId(), NONE);
                } catch (LockException e) {
                    failure = e;
                }
            }

            assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
            assertThat(backend.findById(held.lockId(), NONE)).isPresent();

            Files.delete(disk.resolve("filler"));
            new SqliteProbe(disk.resolve("locks.db")).expire("many");
            assertThat(Locks.grant(backend, key).fence()).isGreaterThan(highest);
        }
    }

    @Test
    @DisplayName("a log that filled the disk begins anew: on a full disk known keys are locked and released")
    void fullOfLog() throws Exception {
        Path file = disk.resolve("locks.db");
        LockKey key = LockKey.of("known");
        try (LockBackend before = SqliteLockBackend.open(file)) {
            before.release(Locks.grant(before, key).lockId(), NONE);
            before.release(Locks.grant(before, LockKey.of("other")).lockId(), NONE);
        } // the log is in the lock file now, which need not grow any more
        try (LockBackend backend = SqliteLockBackend.open(file);
                Child other = Child.start("hold", file, "other")) {
            assertThat(other.line()).isEqualTo("ready");
            fill(disk.resolve("filler"));

            for (int fence = 2; fence < 500; fence++) {
                Granted granted = Locks.grant(backend, key);
                assertThat(granted.fence()).isEqualTo(new Fence(fence));
                backend.release(granted.lockId(), NONE);
            }
        }
    }

    @Test
    @DisplayName("the doctor warns of a disk with little room")
    void littleRoom() {
        try (LockBackend backend = SqliteLockBackend.open(disk.resolve("locks.db"))) {
            assertThat(backend.diagnostics().orElseThrow().inspect(NONE))
                    .filteredOn(finding -> finding.id().equals("sqlite.space"))
                    .extracting(Finding::level)
                    .containsExactly(Finding.Level.WARN);
        }
    }

    @Test
    @DisplayName("a file that cannot even be created on a full disk is an error that says so")
    void fullFromTheStart() throws Exception {
        fill(disk.resolve("filler"));
        try (LockBackend backend = SqliteLockBackend.open(disk.resolve("locks.db"))) {
            LockException failure =
                    catchThrowableOfType(LockException.class, () -> Locks.acquire(backend, LockKey.of("key")));

            assertThat(failure).isNotNull();
            assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
            assertThat(failure.outcomeUnknown()).isFalse();
        }
    }

    @Test
    @DisplayName("a disk that is mounted read-only is an error that says so")
    void readOnly() throws Exception {
        Path file = disk.resolve("locks.db");
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            backend.isLocked(Locks.KEY, NONE);
        }
        assertThat(Commands.succeed("mount", "-o", "remount,ro", disk.toString()))
                .isTrue();
        try (LockBackend backend = SqliteLockBackend.open(file);
                LockBackend elsewhere = SqliteLockBackend.open(disk.resolve("other.db"))) {
            LockException failure = catchThrowableOfType(LockException.class, () -> Locks.acquire(backend, Locks.KEY));
            LockException missing =
                    catchThrowableOfType(LockException.class, () -> Locks.acquire(elsewhere, Locks.KEY));

            assertThat(failure).isNotNull();
            assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
            assertThat(failure).hasMessageContaining("its disk is mounted read-only");
            assertThat(missing).isNotNull();
            assertThat(missing.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
        }
    }
}
