package dev.syncguard.sqlite;

import static dev.syncguard.sqlite.Locks.KEY;
import static dev.syncguard.sqlite.Locks.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.LockException;
import dev.syncguard.LockKey;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.StoreDiagnostics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the doctor finds. */
class SqliteDiagnosticsTest {

    @TempDir
    Path folder;

    private final boolean onOldestDriver = System.getProperty("syncguard.test.oldestDriver") != null;
    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("locks.db");
    }

    private static Map<String, Finding> inspect(LockBackend backend) {
        return byId(backend.diagnostics().orElseThrow());
    }

    private static Map<String, Finding> byId(StoreDiagnostics diagnostics) {
        return diagnostics.inspect(NONE).stream().collect(Collectors.toMap(Finding::id, finding -> finding));
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
                            "sqlite.version",
                            "sqlite.labels",
                            "sqlite.integrity",
                            "sqlite.counters",
                            "sqlite.clock",
                            "sqlite.filesystem",
                            "sqlite.permissions",
                            "sqlite.space");
            assertThat(findings.get("sqlite.counters").message()).startsWith("1 ");
            assertThat(findings.values())
                    .filteredOn(finding -> !onOldestDriver || !finding.id().equals("sqlite.version"))
                    .allSatisfy(finding -> {
                        assertThat(finding.level()).as(finding.id()).isEqualTo(Level.OK);
                        assertThat(finding.fix()).as(finding.id()).isEmpty();
                    });
            assertThat(findings.get("sqlite.version").level()).isEqualTo(onOldestDriver ? Level.WARN : Level.OK);
        }
    }

    @ParameterizedTest
    @CsvSource({"3.46.1, WARN", "3.51.2, WARN", "3.51.3, OK", "3.53.4, OK", "4.0.0, OK"})
    @DisplayName("a SQLite whose log can damage the file is a warning")
    void version(String version, Level level) {
        assertThat(SqliteDiagnostics.version(version).level()).isEqualTo(level);
    }

    /** The findings on a session as a program opens it that knows nothing of this backend. */
    private Map<String, Level> settings(String journalMode, String synchronous) throws SQLException {
        SqliteDriver.load();
        new SqliteProbe(file).execute("PRAGMA journal_mode = " + journalMode);
        try (TimeLimit limit = new TimeLimit(Duration.ofSeconds(30));
                Session session = Session.open(new DatabaseFile(file).prepare(), limit)) {
            session.run("PRAGMA synchronous = " + synchronous);
            return SqliteDiagnostics.settings(session).stream().collect(Collectors.toMap(Finding::id, Finding::level));
        }
    }

    @Test
    @DisplayName("another journal mode, or commits that are not durable, are dangers")
    void settings() throws SQLException {
        assertThat(settings("DELETE", "NORMAL"))
                .containsEntry("sqlite.journal", Level.DANGER)
                .containsEntry("sqlite.synchronous", Level.DANGER);
        assertThat(settings("WAL", "FULL"))
                .containsEntry("sqlite.journal", Level.OK)
                .containsEntry("sqlite.synchronous", Level.OK);
    }

    @Test
    @DisplayName("a file system that other machines may mount is a warning, one that cannot be told is unknown")
    void fileSystem() {
        assertThat(PlaceDiagnostics.fileSystem("fuse.mergerfs").level()).isEqualTo(Level.WARN);
        assertThat(PlaceDiagnostics.fileSystem("virtiofs").level()).isEqualTo(Level.WARN);
        assertThat(PlaceDiagnostics.fileSystem("").level()).isEqualTo(Level.UNKNOWN);
        assertThat(PlaceDiagnostics.fileSystem("ext4").level()).isEqualTo(Level.OK);
    }

    @Test
    @DisplayName("a million counters are a warning, one less is not")
    void manyCounters() {
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            backend.isLocked(KEY, NONE);
            new SqliteProbe(file)
                    .execute(
                            "INSERT INTO syncguard_fence_counters (fence_key, fence) WITH RECURSIVE n(i) AS"
                                    + " (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999999) SELECT 'fence:' || i, 1 FROM n");
            assertThat(inspect(backend).get("sqlite.counters").level()).isEqualTo(Level.OK);

            Locks.grant(backend, KEY);

            assertThat(inspect(backend).get("sqlite.counters").level()).isEqualTo(Level.WARN);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-600, 600})
    @DisplayName("a clock that jumps while the backend is open is a warning")
    void clockJumps(long jumpMs) {
        AtomicLong offsetMs = new AtomicLong();
        try (Sessions sessions = new Sessions(new DatabaseFile(file), Duration.ofSeconds(30))) {
            SqliteDiagnostics diagnostics =
                    new SqliteDiagnostics(sessions, () -> System.currentTimeMillis() + offsetMs.get());
            assertThat(byId(diagnostics).get("sqlite.clock").level()).isEqualTo(Level.OK);

            offsetMs.set(jumpMs);

            Finding finding = byId(diagnostics).get("sqlite.clock");
            assertThat(finding.level()).isEqualTo(Level.WARN);
            assertThat(finding.message()).contains("jumped");
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
    @DisplayName("the first acquire warns of what a start can see, the next one not again")
    void warnsAfterFirstAcquire() throws IOException {
        Assumptions.assumeTrue(OwnerOnly.isPosix(folder), "this system has no POSIX permissions");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
        try (LoggedWarnings warnings = LoggedWarnings.capture();
                LockBackend backend = SqliteLockBackend.open(file)) {
            backend.isLocked(KEY, NONE);
            assertThat(warnings.containing("sqlite.permissions")).isEmpty();

            Locks.grant(backend, KEY);
            await().until(() -> !warnings.containing("sqlite.permissions").isEmpty());
            Locks.grant(backend, LockKey.of("another"));

            assertThat(warnings.containing("sqlite.permissions")).hasSize(1);
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
            Locks.awaitStartCheck(); // it may keep the file open, and what was written in the log
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
