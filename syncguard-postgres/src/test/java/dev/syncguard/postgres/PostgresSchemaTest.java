package dev.syncguard.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.testbed.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PostgresSchemaTest {

    private static final DataSource SOURCE = TestDatabase.plain(PostgresServer.sharedUrl());

    private final PostgresNames names = PostgresNames.defaults().inSchema(TestDatabase.newName());

    @AfterEach
    void drop() throws Exception {
        execute("DROP SCHEMA IF EXISTS \"" + names.schema() + "\" CASCADE");
    }

    private static void execute(String sql) throws Exception {
        try (var connection = SOURCE.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @DisplayName("create does not wait for ever behind a creator that hangs")
    void hangingCreator() throws Exception {
        try (var connection = SOURCE.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(" + PostgresSchema.CREATOR + ")");
            LockException failure = catchThrowableOfType(
                    LockException.class, () -> PostgresSchema.create(SOURCE, names, Duration.ofSeconds(2)));

            assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'advisory' AND"
                    + " query LIKE '%" + names.schema() + "%' AND pid <> pg_backend_pid()");
        }
    }

    @Test
    @DisplayName("check names each thing that is missing, create makes it, and again does nothing")
    void checksAndCreates() throws Exception {
        assertThat(PostgresSchema.check(SOURCE, names))
                .containsExactly(
                        "table " + names.schema() + ".syncguard_locks",
                        "table " + names.schema() + ".syncguard_fence_counters");

        PostgresSchema.create(SOURCE, names);
        PostgresSchema.create(SOURCE, names);
        assertThat(PostgresSchema.check(SOURCE, names)).isEmpty();

        execute("ALTER TABLE " + names.quotedLocks() + " DROP COLUMN user_key");
        execute("ALTER TABLE " + names.quotedLocks() + " DROP CONSTRAINT syncguard_locks_lock_id_key");
        execute("DROP INDEX \"" + names.schema() + "\".syncguard_locks_expires_at_ms_idx");
        execute("ALTER TABLE " + names.quotedCounters() + " ALTER COLUMN fence TYPE integer");
        String locks = names.schema() + ".syncguard_locks";
        assertThat(PostgresSchema.check(SOURCE, names))
                .containsExactly(
                        "unique index on " + locks + ".lock_id",
                        "index on " + locks + ".expires_at_ms",
                        "column " + locks + ".user_key of type text",
                        "column " + names.schema() + ".syncguard_fence_counters.fence of type bigint");
    }

    @Test
    @DisplayName("sixteen processes that start at once create one set of tables, without an error")
    void createsAtOnce() throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try {
            List<CompletableFuture<Void>> creators = IntStream.range(0, 16)
                    .mapToObj(i -> CompletableFuture.runAsync(
                            () -> {
                                awaitUninterruptibly(start);
                                PostgresSchema.create(SOURCE, names);
                            },
                            threads))
                    .toList();
            start.countDown();
            creators.forEach(CompletableFuture::join);
        } finally {
            threads.shutdownNow();
        }

        assertThat(PostgresSchema.check(SOURCE, names)).isEmpty();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("the longest names work, and two tables that differ at their ends have an index each")
    void longNames() {
        PostgresNames first = new PostgresNames(names.schema(), "x".repeat(62) + "a", "y".repeat(63));
        PostgresNames second = new PostgresNames(names.schema(), "x".repeat(62) + "b", "z".repeat(63));

        PostgresSchema.create(SOURCE, first);
        PostgresSchema.create(SOURCE, second);

        assertThat(PostgresSchema.check(SOURCE, first)).isEmpty();
        assertThat(PostgresSchema.check(SOURCE, second)).isEmpty();
    }

    @Test
    @DisplayName("an operation without tables fails with the command that makes them")
    void missingTables() {
        PostgresLockBackend backend =
                PostgresLockBackend.builder(SOURCE).names(names).build();

        LockException failure =
                catchThrowableOfType(LockException.class, () -> backend.isLocked(LockKey.of("k"), AbortSignal.none()));

        assertThat(failure.code()).isEqualTo(Code.INTERNAL);
        assertThat(failure).hasMessageContaining("PostgresSchema.create").hasMessageContaining("schema.sql");
        assertThat(failure.outcomeUnknown()).isFalse();
    }

    @Test
    @DisplayName("the script of the jar runs as it is, and twice")
    void script() {
        assertThat(PostgresSchema.script(PostgresNames.defaults()))
                .isEqualTo(PostgresStatement.resource("schema.sql"))
                .contains("CREATE TABLE IF NOT EXISTS \"public\".\"syncguard_locks\"");
    }
}
