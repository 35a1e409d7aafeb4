package dev.syncguard.sqlite;

import static dev.syncguard.sqlite.Locks.KEY;
import static dev.syncguard.sqlite.Locks.MINUTE;
import static dev.syncguard.sqlite.Locks.NONE;
import static dev.syncguard.sqlite.Locks.awaitStartCheck;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Finding;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who holds a lock, beside programs that do not know of labels and in files that have no place for them. */
class SqliteLabelsTest {

    @TempDir
    Path folder;

    private static void grant(LockBackend backend) {
        assertThat(backend.acquire(new AcquireRequest(KEY, LockIds.random(), MINUTE, false, "web-3"), NONE))
                .isInstanceOf(Granted.class);
    }

    private static @Nullable String label(LockBackend backend) {
        return backend.findByKey(KEY, NONE).orElseThrow().label();
    }

    private static Finding finding(LockBackend backend) {
        return backend.diagnostics().orElseThrow().inspect(NONE).stream()
                .filter(found -> found.id().equals("sqlite.labels"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("a label that another program left in the row is not shown for its lock")
    void otherProgram() {
        Path file = folder.resolve("locks.db");
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            grant(backend);
            assertThat(label(backend)).isEqualTo("web-3");
            new SqliteProbe(file)
                    .execute("UPDATE syncguard_locks SET lock_id = '"
                            + LockIds.random().value() + "'");

            assertThat(label(backend)).isNull();
            assertThat(backend.listing()
                            .orElseThrow()
                            .list(Optional.empty(), 10, NONE)
                            .locks())
                    .singleElement()
                    .matches(lock -> lock.label() == null);
            assertThat(finding(backend).fix()).isEmpty();
        }
    }

    @Test
    @DisplayName("of a label that another program made absurdly long, the beginning is shown; a blob is none")
    void hugeLabel() {
        Path file = folder.resolve("locks.db");
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            grant(backend);
            SqliteProbe probe = new SqliteProbe(file);
            probe.execute(
                    "UPDATE syncguard_locks SET label = 'a' || replace(hex(zeroblob(500000)), '0', '\uD83D\uDE00')");
            assertThat(label(backend)).isEqualTo("a" + "\uD83D\uDE00".repeat(511));
            probe.execute("UPDATE syncguard_locks SET label = zeroblob(1000000)");
            assertThat(label(backend)).isNull();
        }
    }

    @Test
    @DisplayName("a file of an earlier version works as before, and doctor says how to make room for labels")
    void olderFile() {
        Path file = folder.resolve("locks.db");
        SqliteLockBackend.builder(file).strict().build().close();
        SqliteProbe probe = new SqliteProbe(file);
        probe.execute("ALTER TABLE syncguard_locks DROP COLUMN label");
        probe.execute("ALTER TABLE syncguard_locks DROP COLUMN label_lock_id");
        Finding advice;
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            grant(backend);
            assertThat(label(backend)).isNull();
            advice = finding(backend);
            assertThat(advice.level()).isEqualTo(Finding.Level.OK);
            awaitStartCheck();
        }
        for (String statement : advice.fix().split("; ", -1)) {
            probe.execute(statement);
        }
        probe.execute("DELETE FROM syncguard_locks");
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            grant(backend);
            assertThat(label(backend)).isEqualTo("web-3");
        }
    }
}
