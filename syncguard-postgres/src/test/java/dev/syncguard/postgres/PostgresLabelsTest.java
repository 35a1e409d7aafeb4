package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.MINUTE;
import static dev.syncguard.postgres.Locks.NONE;
import static dev.syncguard.postgres.Locks.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Finding;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import dev.syncguard.testbed.PostgresReferenceClient;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who holds a lock, beside clients that do not know of labels and on tables that have no place for them. */
class PostgresLabelsTest {

    private final TestDatabase database = TestDatabase.create();
    private final LockKey key = newKey();

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private static LockId grant(LockBackend backend, LockKey key, @Nullable String label) {
        LockId lockId = LockIds.random();
        assertThat(backend.acquire(new AcquireRequest(key, lockId, MINUTE, false, label), NONE))
                .isInstanceOf(Granted.class);
        return lockId;
    }

    private static @Nullable String labelOf(LockBackend backend, LockKey key) {
        return backend.findByKey(key, NONE).orElseThrow().label();
    }

    private Finding finding(LockBackend backend) {
        return backend.diagnostics().orElseThrow().inspect(NONE).stream()
                .filter(found -> found.id().equals("postgres.labels"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("a label is not taken over by another library's client, which leaves it in the row")
    void otherLibrary() throws Exception {
        try (LockBackend backend = database.builder().build();
                PostgresReferenceClient theirs = new PostgresReferenceClient(
                        TestDatabase.plain(database.url),
                        database.names.quotedLocks(),
                        database.names.quotedCounters())) {
            grant(backend, key, "web-3");
            database.execute("UPDATE {locks} SET expires_at_ms = 1000 WHERE key = '" + key.value() + "'");
            assertThat(theirs.acquire(key.value(), 60_000)).isPresent();

            assertThat(database.query("SELECT label FROM {locks} WHERE key = '" + key.value() + "'"))
                    .isEqualTo("web-3");
            assertThat(labelOf(backend, key)).isNull();
            assertThat(backend.listing()
                            .orElseThrow()
                            .list(java.util.Optional.empty(), 100, NONE)
                            .locks())
                    .allMatch(lock -> lock.label() == null);
            assertThat(finding(backend).fix()).isEmpty();
        }
    }

    @Test
    @DisplayName("of a label that another client made absurdly long, the beginning is shown")
    void hugeLabel() throws Exception {
        try (LockBackend backend = database.builder().build()) {
            grant(backend, key, "web-3");
            database.execute("UPDATE {locks} SET label = 'a' || repeat('\uD83D\uDE00', 1000000) WHERE key = '"
                    + key.value() + "'");
            assertThat(labelOf(backend, key)).isEqualTo("a" + "\uD83D\uDE00".repeat(511));
        }
    }

    @Test
    @DisplayName("a table without a place for labels works as before, and says once what to do")
    void olderTable() throws Exception {
        database.execute("ALTER TABLE {locks} DROP COLUMN label, DROP COLUMN label_lock_id");
        List<String> lines = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("dev.syncguard");
        Handler handler = handler(lines);
        logger.addHandler(handler);
        String advice;
        try (LockBackend backend = database.builder().build()) {
            LockId lockId = grant(backend, key, "web-3");
            assertThat(labelOf(backend, key)).isNull();
            assertThat(backend.findById(lockId, NONE).orElseThrow().label()).isNull();
            grant(backend, newKey(), "web-3");
            assertThat(lines).singleElement().asString().contains("ADD COLUMN").doesNotContain("web-3");
            advice = finding(backend).fix();
            assertThat(PostgresSchema.check(TestDatabase.plain(database.url), database.names))
                    .isEmpty();
        } finally {
            logger.removeHandler(handler);
        }

        database.execute(advice);
        try (LockBackend backend = database.builder().build()) {
            LockKey another = newKey();
            grant(backend, another, "web-3");
            assertThat(labelOf(backend, another)).isEqualTo("web-3");
        }
    }

    private static Handler handler(List<String> lines) {
        return new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getMessage().contains("labels")) {
                    lines.add(line.getMessage() + List.of(line.getParameters()));
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }
}
