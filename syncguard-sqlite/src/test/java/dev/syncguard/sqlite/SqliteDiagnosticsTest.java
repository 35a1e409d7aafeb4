package dev.syncguard.sqlite;

import static dev.syncguard.sqlite.Locks.KEY;
import static dev.syncguard.sqlite.Locks.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.LockException;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.StoreDiagnostics.Finding;
import dev.syncguard.spi.StoreDiagnostics.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor finds. */
class SqliteDiagnosticsTest {

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("locks.db");
    }

    private static Map<String, Finding> inspect(LockBackend backend) {
        return backend.diagnostics().orElseThrow().inspect(NONE).stream()
                .collect(Collectors.toMap(Finding::id, finding -> finding));
    }

    @Test
    @DisplayName("a fresh file is as it should be")
    void healthy() {
        try (LockBackend backend = SqliteLockBackend.builder(file).strict().build()) {
            Locks.grant(backend, KEY);

            Map<String, Finding> findings = inspect(backend);

            assertThat(findings)
                    .containsOnlyKeys(
                            "sqlite.journal",
                            "sqlite.synchronous",
                            "sqlite.integrity",
                            "sqlite.counters",
                            "sqlite.clock",
                            "sqlite.filesystem",
                            "sqlite.permissions",
                            "sqlite.space");
            assertThat(findings.get("sqlite.counters").message()).startsWith("1 ");
            assertThat(findings.values()).extracting(Finding::level).doesNotContain(Level.DANGER);
        }
    }

    @Test
    @DisplayName("permissions for others are a warning")
    void permissions() throws IOException {
        Assumptions.assumeTrue(OwnerOnly.isPosix(folder), "this system has no POSIX permissions");
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

            assertThat(inspect(backend).get("sqlite.permissions").level()).isEqualTo(Level.WARN);
        }
    }

    @Test
    @DisplayName("a clock that is behind what stands in the file is a warning")
    void clockWentBack() {
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);
            new SqliteProbe(file)
                    .update("UPDATE syncguard_locks SET acquired_at_ms = ?", System.currentTimeMillis() + 60_000);

            Finding finding = inspect(backend).get("sqlite.clock");

            assertThat(finding.level()).isEqualTo(Level.WARN);
            assertThat(finding.message()).contains("behind");
        }
    }

    @Test
    @DisplayName("a damaged page is a danger, and a strict backend refuses the file")
    void damaged() throws IOException {
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);
        }
        byte[] bytes = Files.readAllBytes(file);
        // The page of the last table: its cells now overlap, which no query of a lock would notice.
        int page = bytes.length - 4096;
        bytes[page + 5] = 0;
        bytes[page + 6] = 9;
        Files.write(file, bytes);

        assertThatThrownBy(() -> SqliteLockBackend.builder(file).strict().build())
                .isInstanceOf(LockException.class);
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            assertThat(inspect(backend).get("sqlite.integrity").level()).isEqualTo(Level.DANGER);
        }
    }
}
