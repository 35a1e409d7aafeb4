package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ForgottenLeaseTest {

    private static final LockOptions RENEWED =
            LockOptions.defaults().ttl(Duration.ofSeconds(30)).autoExtend();

    private final LogCapture log = LogCapture.start();

    @AfterEach
    void end() {
        log.close();
    }

    private List<String> reports() {
        return log.messages().stream()
                .filter(line -> line.contains("dropped without being released"))
                .toList();
    }

    @Test
    @Rule("LSE-21")
    @DisplayName("README: a renewed lease that becomes garbage unreleased is reported once, by its hash")
    void reportedOnce() {
        try (SyncGuard guard = SyncGuard.of(new MemoryLockBackend())) {
            forget(guard, RENEWED);
            await().until(() -> {
                collectAndUse(guard);
                return !reports().isEmpty();
            });
            for (int i = 0; i < 5; i++) {
                collectAndUse(guard);
            }
        }
        assertThat(reports())
                .singleElement()
                .asString()
                .contains(LockKey.of("forgotten").hash())
                .contains("still renewed");
    }

    @Test
    @Rule("LSE-21")
    @DisplayName("README: a forgotten lease that is renewed is reported also if no other lease is granted after it")
    void reportedByItsOwnRenewals() {
        try (SyncGuard guard = SyncGuard.of(new MemoryLockBackend())) {
            forget(guard, RENEWED.ttl(Duration.ofSeconds(1)));
            await().until(() -> {
                System.gc();
                return !reports().isEmpty();
            });
        }
        assertThat(reports()).hasSize(1);
    }

    @Test
    @Rule("LSE-21")
    @DisplayName("README: of the forgotten leases that are not renewed a sample is reported")
    void sampleOfOthers() {
        try (SyncGuard guard = SyncGuard.of(new MemoryLockBackend())) {
            for (int i = 0; i < 3_000; i++) { // none of them in the sample: once in ten thousand million runs
                forget(guard, "k" + i, LockOptions.defaults().ttl(Duration.ofHours(1)));
            }
            await().until(() -> {
                collectAndUse(guard);
                return !reports().isEmpty();
            });
        }
        assertThat(reports()).hasSizeLessThan(300).noneMatch(line -> line.contains("still renewed"));
    }

    private static void forget(SyncGuard guard, LockOptions options) {
        forget(guard, "forgotten", options);
    }

    private static void forget(SyncGuard guard, String key, LockOptions options) {
        var unused = guard.tryAcquire(key, options);
    }

    private static void collectAndUse(SyncGuard guard) {
        System.gc();
        guard.run("used", RENEWED, lease -> {});
    }

    @Test
    @Rule("LSE-21")
    @DisplayName("README: leases that were released or lost are not reported as forgotten")
    void onlyIfHeld() {
        try (SyncGuard guard = SyncGuard.of(new MemoryLockBackend())) {
            for (int i = 0; i < 20; i++) {
                collectAndUse(guard);
            }
        }
        assertThat(reports()).isEmpty();
    }

    @Test
    @Rule("LSE-12")
    @DisplayName("README: holdAtMost ends the renewals, and the loss says why")
    void holdAtMost() {
        LockSimulator simulator = new LockSimulator();
        List<LeaseLostException> losses = new CopyOnWriteArrayList<>();
        SyncGuard guard = simulator.newGuard();
        Lease lease =
                guard.acquire("k", RENEWED.holdAtMost(Duration.ofMinutes(2)).onLost(losses::add));

        simulator.advance(Duration.ofMillis(119_800));
        assertThat(lease.isValid()).isTrue();
        simulator.advance(Duration.ofMillis(300));

        assertThat(lease.isValid()).isFalse();
        assertThat(losses)
                .singleElement()
                .satisfies(loss -> assertThat(loss).hasMessageContaining("held as long as holdAtMost allows"));
        simulator.advance(Duration.ofSeconds(2));
        assertThat(simulator.newGuard().tryAcquire("k")).isInstanceOf(Lease.class);
    }

    @Test
    @Rule("LSE-12")
    @DisplayName("README: holdAtMost below the ttl means no renewal")
    void holdAtMostBelowTheTtl() {
        LockSimulator simulator = new LockSimulator();
        Lease lease = simulator.newGuard().acquire("k", RENEWED.holdAtMost(Duration.ofSeconds(10)));

        simulator.advance(Duration.ofMillis(29_900));
        assertThat(lease.isValid()).isTrue();
        simulator.advance(Duration.ofMillis(200));

        assertThat(lease.isValid()).isFalse();
    }

    @Test
    @Rule("LSE-12")
    @DisplayName("README: a shortening by hand lets the renewals go on up to holdAtMost")
    void holdAtMostAfterShortening() {
        LockSimulator simulator = new LockSimulator();
        Lease lease = simulator.newGuard().acquire("k", RENEWED.holdAtMost(Duration.ofSeconds(40)));
        simulator.advance(Duration.ofSeconds(15)); // renewed to its limit

        assertThat(lease.extend(Duration.ofSeconds(3)).ok()).isTrue();

        simulator.advance(Duration.ofMillis(24_800));
        assertThat(lease.isValid()).isTrue();
        simulator.advance(Duration.ofMillis(400));
        assertThat(lease.isValid()).isFalse();
    }
}
