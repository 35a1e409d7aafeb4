package dev.syncguard.sqlite;

import static dev.syncguard.sqlite.Locks.KEY;
import static dev.syncguard.sqlite.Locks.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Fence;
import dev.syncguard.FenceMode;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is particular to this store. */
class SqliteLockBackendTest {

    @TempDir
    Path folder;

    private Path file;
    private LockBackend backend;
    private SqliteProbe probe;

    @BeforeEach
    void open() {
        file = folder.resolve("locks.db");
        backend = SqliteLockBackend.open(file);
        probe = new SqliteProbe(file);
    }

    @AfterEach
    void close() {
        backend.close();
    }

    private LockException failure(Runnable operation) {
        LockException failure = catchThrowableOfType(LockException.class, operation::run);
        assertThat(failure).as("the failure").isNotNull();
        return failure;
    }

    @Test
    @DisplayName("TIME_FLOORED fences are at least the time, and rise even if the counter is lost")
    void timeFloored() {
        try (LockBackend floored = SqliteLockBackend.builder(file)
                .fenceMode(FenceMode.TIME_FLOORED)
                .build()) {
            long before = System.currentTimeMillis();
            var first = Locks.grant(floored, KEY);
            assertThat(first.fence().value()).isGreaterThanOrEqualTo(before);

            floored.release(first.lockId(), NONE);
            probe.update("DELETE FROM syncguard_fence_counters WHERE fence_key = ?", "fence:" + KEY.value());

            await().until(() -> System.currentTimeMillis() > first.fence().value());

            assertThat(Locks.grant(floored, KEY).fence()).isGreaterThan(first.fence());
        }
    }

    @Test
    @DisplayName("TIME_FLOORED counts on where the counter is ahead of the clock")
    void aheadOfClock() {
        long ahead = System.currentTimeMillis() + 1_000_000;
        try (LockBackend floored = SqliteLockBackend.builder(file)
                .fenceMode(FenceMode.TIME_FLOORED)
                .build()) {
            floored.raiseFence(KEY, new Fence(ahead), NONE);

            assertThat(Locks.grant(floored, KEY).fence().value()).isEqualTo(ahead + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"'seven'", "7.5", "x'07'", "''"})
    @DisplayName("a counter that is not a whole number fails closed, and can be raised")
    void damagedCounter(String value) {
        backend.raiseFence(KEY, new Fence(7), NONE);
        probe.execute("UPDATE syncguard_fence_counters SET fence = " + value);

        assertThat(failure(() -> Locks.acquire(backend, KEY)).code()).isEqualTo(Code.INTERNAL);
        assertThat(probe.stored(KEY.value())).isEmpty();
        assertThat(backend.raiseFence(KEY, new Fence(9), NONE)).isEqualTo(new Fence(9));
        assertThat(Locks.grant(backend, KEY).fence()).isEqualTo(new Fence(10));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "expires_at_ms = 'soon'",
                "acquired_at_ms = x'00'",
                "fence = '7'",
                "fence = x'00'",
                "lock_id = 'short'",
                "user_key = x'00'"
            })
    @DisplayName("a row that is not a lock is an error for its key, and stays as it is")
    void foreignRow(String change) {
        var held = Locks.grant(backend, KEY);
        probe.execute("UPDATE syncguard_locks SET " + change);
        String before = row();

        assertThat(failure(() -> Locks.acquire(backend, KEY)).code()).isEqualTo(Code.INTERNAL);
        assertThat(failure(() -> backend.isLocked(KEY, NONE))).hasMessageContaining("foreign value");
        if (!change.startsWith("lock_id")) {
            assertThat(failure(() -> backend.extend(held.lockId(), Locks.MINUTE, NONE))
                            .code())
                    .isEqualTo(Code.INTERNAL);
            assertThat(failure(() -> backend.release(held.lockId(), NONE)).code())
                    .isEqualTo(Code.INTERNAL);
        }
        assertThat(row()).isEqualTo(before);
    }

    private String row() {
        return probe.query(
                "SELECT key || lock_id || expires_at_ms || acquired_at_ms || fence || user_key FROM syncguard_locks",
                rows -> rows.getString(1));
    }

    @Test
    @DisplayName("whoever is refused needs no write lock")
    void refusalOnlyReads() throws Exception {
        var held = Locks.grant(backend, KEY);
        try (OpenTransaction writer = OpenTransaction.begin(file)) {
            assertThat(Locks.acquire(backend, KEY)).isInstanceOf(Refused.class);
            assertThat(Locks.acquire(backend, KEY, held.lockId())).isInstanceOf(held.getClass());
            assertThat(backend.isLocked(KEY, NONE)).isTrue();
            assertThat(backend.findById(held.lockId(), NONE)).isPresent();
            assertThat(writer.isOpen()).isTrue();
        }
    }

    @Test
    @DisplayName("a write lock that somebody keeps is a timeout with a known outcome")
    void busy() throws Exception {
        try (LockBackend hasty = SqliteLockBackend.builder(file)
                .commandTimeout(Duration.ofMillis(300))
                .build()) {
            hasty.isLocked(KEY, NONE);
            try (OpenTransaction writer = OpenTransaction.begin(file)) {
                LockException failure = failure(() -> Locks.acquire(hasty, KEY));

                assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
                assertThat(failure.outcomeUnknown()).isFalse();
                assertThat(writer.isOpen()).isTrue();
            }
            Locks.grant(hasty, KEY);
        }
    }

    @Test
    @DisplayName("an interrupt while waiting for the write lock does not disturb the wait, and is kept")
    void interruptedWhileWaiting() throws Exception {
        try (OpenTransaction writer = OpenTransaction.begin(file)) {
            backend.isLocked(KEY, NONE);
            Thread waiting = Thread.currentThread();
            Thread helper = new Thread(() -> {
                waiting.interrupt();
                writer.end();
            });
            helper.start();

            Locks.grant(backend, KEY);

            helper.join();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    @DisplayName("a closed backend says so")
    void closed() {
        Locks.grant(backend, KEY);
        backend.close();

        assertThat(failure(() -> backend.isLocked(KEY, NONE))).hasMessageContaining("closed");
        assertThat(failure(() -> backend.release(LockIds.random(), NONE)).code())
                .isEqualTo(Code.SERVICE_UNAVAILABLE);
    }

    @Test
    @DisplayName("settings are checked when they are made")
    void settings() {
        assertThatThrownBy(() -> SqliteLockBackend.builder(file).commandTimeout(Duration.ofMillis(9)))
                .isInstanceOf(LockException.class);
        assertThatThrownBy(() -> SqliteLockBackend.builder(file).commandTimeout(Duration.ofMinutes(11)))
                .isInstanceOf(LockException.class);
        assertThatThrownBy(() -> SqliteLockBackend.builder(file).commandTimeout(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(LockException.class);
    }

    @Test
    @DisplayName("settings that are null are refused")
    void nullSettings() {
        assertThat(failure(() -> SqliteLockBackend.builder(null)).code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(failure(() -> SqliteLockBackend.builder(file).fenceMode(null))
                        .code())
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(failure(() -> SqliteLockBackend.builder(file).commandTimeout(null))
                        .code())
                .isEqualTo(Code.INVALID_ARGUMENT);
    }
}
