package dev.syncguard.sqlite;

import static dev.syncguard.sqlite.Locks.KEY;
import static dev.syncguard.sqlite.Locks.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.spi.support.StoreThreads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What wakes those who wait, beyond the rules of the kit. */
@Timeout(120)
class SqliteReleaseSignalsTest {

    private static final String THREAD = "syncguard-sqlite-watch";

    @TempDir
    Path folder;

    private LockBackend holding;
    private LockBackend waiting;

    @BeforeEach
    void open() {
        holding = SqliteLockBackend.open(folder.resolve("locks.db"));
        waiting = SqliteLockBackend.open(folder.resolve("locks.db"));
    }

    @AfterEach
    void close() {
        holding.close();
        waiting.close();
        await().until(() -> watchers() == 0);
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(2));
    }

    private static long watchers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(THREAD))
                .count();
    }

    private Subscription subscribe(AtomicInteger wakeUps) {
        Subscription subscription = waiting.releaseSignals().orElseThrow().subscribe(KEY, wakeUps::incrementAndGet);
        await().until(() -> subscription.isActive() && wakeUps.get() > 0);
        return subscription;
    }

    @Test
    @DisplayName("a waiter for whom no thread could be started keeps no later thread from ending")
    void outOfThreads() {
        AtomicBoolean exhausted = new AtomicBoolean(true);
        DatabaseFile file = new DatabaseFile(folder.resolve("locks.db"));
        try (Sessions sessions = new Sessions(file, Duration.ofSeconds(30));
                SqliteReleaseSignals signals = new SqliteReleaseSignals(sessions, StorageKeys.sql(), (name, task) -> {
                    if (exhausted.get()) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    StoreThreads.start(name, task);
                })) {
            assertThatThrownBy(() -> signals.subscribe(KEY, () -> {})).isInstanceOf(OutOfMemoryError.class);

            exhausted.set(false);
            Subscription lucky = signals.subscribe(KEY, () -> {});
            await().until(lucky::isActive);
            lucky.close();
            await().until(() -> watchers() == 0);
        }
    }

    @Test
    @DisplayName("a lock that comes and goes between two looks is noticed")
    void comesAndGoes() {
        for (int i = 0; i < 50; i++) {
            AtomicInteger wakeUps = new AtomicInteger();
            try (Subscription subscription = subscribe(wakeUps)) {
                int before = wakeUps.get();
                Granted granted = Locks.grant(holding, KEY);
                holding.release(granted.lockId(), NONE);

                await().until(() -> wakeUps.get() > before);
                assertThat(subscription.isActive()).isTrue();
            }
        }
    }

    @Test
    @DisplayName("a wake-up that throws does not end the watch")
    void throwingWakeUp() {
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger wakeUps = new AtomicInteger();
        try (Subscription broken = waiting.releaseSignals().orElseThrow().subscribe(KEY, () -> {
                    if (calls.incrementAndGet() == 1) {
                        throw new AssertionError("a wake-up that throws");
                    }
                });
                Subscription sound = subscribe(wakeUps)) {
            int before = wakeUps.get();
            Locks.grant(holding, KEY);

            await().until(() -> wakeUps.get() > before);
            assertThat(sound.isActive()).isTrue();
            assertThat(broken.isActive()).isTrue();
        }
    }

    @Test
    @DisplayName("an extension wakes nobody")
    void extension() {
        Granted granted = Locks.grant(holding, KEY);
        AtomicInteger wakeUps = new AtomicInteger();
        AtomicInteger others = new AtomicInteger();
        try (Subscription subscription = subscribe(wakeUps);
                Subscription other = waiting.releaseSignals()
                        .orElseThrow()
                        .subscribe(LockKey.of("other"), others::incrementAndGet)) {
            await().until(() -> other.isActive() && others.get() > 0);
            int before = wakeUps.get();
            int othersBefore = others.get();
            holding.extend(granted.lockId(), Locks.MINUTE, NONE);
            // The other key shows that the file was looked at after the extension.
            Locks.grant(holding, LockKey.of("other"));
            await().until(() -> others.get() > othersBefore);

            assertThat(wakeUps).hasValue(before);
            assertThat(subscription.isActive()).isTrue();
        }
    }

    @Test
    @DisplayName("the thread that looks ends when nobody waits any more, and starts again for the next")
    void ends() {
        AtomicInteger wakeUps = new AtomicInteger();
        subscribe(wakeUps).close();
        await().until(() -> watchers() == 0);

        try (Subscription again = subscribe(new AtomicInteger())) {
            assertThat(again.isActive()).isTrue();
            assertThat(watchers()).isEqualTo(1);
        }
    }
}
