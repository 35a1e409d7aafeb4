package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShortenedLeaseTest {

    private static final LockOptions LONG = LockOptions.defaults().ttl(Duration.ofSeconds(30));

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard here = simulator.newGuard();
    private final SyncGuard there = simulator.newGuard();

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-9")
    @DisplayName("C1: while a shortening extension is under way, the holder believes the shorter time")
    void believedBeforeTheReply(Driver driver) {
        GatedBackend store = new GatedBackend();
        try (SyncGuard guard = SyncGuard.of(store)) {
            Lease lease = guard.acquire("k", LONG);
            store.extensions.shut();

            CompletableFuture<ExtendResult> extending = driver.extend(lease, Duration.ofSeconds(2));
            await().until(() -> store.extensions.waiting() == 1);

            assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(2));
            store.extensions.open();
            assertThat(extending).succeedsWithin(Duration.ofSeconds(20)).matches(ExtendResult::ok);
            assertThat(lease.remaining()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(2));
            lease.close();
        }
    }

    @Test
    @Rule("LSE-9")
    @DisplayName("C1: no second holder while the first still trusts a lease whose shortening was not answered")
    void noOverlap() {
        Lease lease = here.acquire("k", LONG);
        simulator.delayReply(Operation.EXTEND, Duration.ofSeconds(20));
        CompletableFuture<ExtendResult> late =
                lease.extendAsync(Duration.ofSeconds(2)).toCompletableFuture();

        while (!(there.tryAcquire("k") instanceof Lease)) {
            simulator.advance(Duration.ofMillis(10));
        }

        assertThat(lease.isValid()).as("another guard holds the key").isFalse();
        assertThat(lease.wasLost()).isTrue();
        simulator.advance(Duration.ofSeconds(30));
        assertThat(late).isCompletedExceptionally();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-9")
    @DisplayName("C1: a shortening that failed keeps the shorter time, and a later extension replaces it")
    void failedShortening(Driver driver) {
        Lease lease = here.acquire("k", LONG);
        simulator.failNext(Operation.EXTEND, Code.SERVICE_UNAVAILABLE);

        assertThat(driver.extend(lease, Duration.ofSeconds(2))).failsWithin(Duration.ofSeconds(20));
        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(2));

        assertThat(driver.extend(lease, Duration.ofSeconds(40))).succeedsWithin(Duration.ofSeconds(20));
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(39));
    }

    @Test
    @DisplayName("C1: a shortening waits for the extension before it, and the shorter time counts")
    void oneAfterTheOther() {
        GatedBackend store = new GatedBackend(Duration.ofSeconds(20));
        try (SyncGuard guard = SyncGuard.of(store)) {
            Lease lease = guard.acquire("k", LONG);
            store.extensions.shut();
            CompletableFuture<ExtendResult> longer = Driver.BLOCKING.extend(lease, Duration.ofMinutes(10));
            await().until(() -> store.extensions.waiting() == 1);
            CompletableFuture<ExtendResult> shorter =
                    lease.extendAsync(Duration.ofSeconds(2)).toCompletableFuture();
            assertThat(store.extensions.waiting()).isEqualTo(1);

            store.extensions.open();

            assertThat(longer).succeedsWithin(Duration.ofSeconds(20));
            assertThat(shorter).succeedsWithin(Duration.ofSeconds(20));
            assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(2));
            lease.close();
        }
    }

    @Test
    @DisplayName("M3: a renewed lease that was shortened by hand is renewed in time")
    void shortenedAndRenewed() {
        Lease lease = here.acquire("k", LONG.autoExtend());

        assertThat(lease.extend(Duration.ofSeconds(1)).ok()).isTrue();
        simulator.advance(Duration.ofMinutes(2));

        assertThat(lease.isValid()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("M3: a renewed lease whose grant was delivered late is renewed in time")
    void deliveredLate(Driver driver) {
        simulator.delayReply(Operation.ACQUIRE, Duration.ofMillis(1100));
        LockOptions options =
                LockOptions.defaults().ttl(Duration.ofMillis(1200)).autoExtend();
        CompletableFuture<Lease> acquiring = driver.acquire(here, "k", options);

        if (driver == Driver.ASYNCHRONOUS) {
            simulator.advance(Duration.ofMillis(1100));
        }
        await().until(acquiring::isDone);
        simulator.advance(Duration.ofMinutes(2));

        assertThat(acquiring.join().isValid()).isTrue();
    }

    @Test
    @DisplayName("M3: a renewal whose reply was lost leaves no trace in later extensions")
    void lostRenewalReply() {
        Lease lease = here.acquire("k", LONG.autoExtend());
        simulator.dropReply(Operation.EXTEND);
        simulator.advance(Duration.ofSeconds(12));

        assertThat(lease.extend(Duration.ofMinutes(5)).ok()).isTrue();

        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(299));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("m9: an extension that is answered after the lease was lost is not reported as a success")
    void lostMeanwhile(Driver driver) {
        GatedBackend store = new GatedBackend();
        try (SyncGuard guard = SyncGuard.of(store)) {
            Lease lease = guard.acquire("k", LockOptions.defaults().ttl(Duration.ofSeconds(1)));
            store.extensions.shut();
            CompletableFuture<ExtendResult> extending = driver.extend(lease, Duration.ofMinutes(1));
            await().until(() -> store.extensions.waiting() == 1);
            await().until(lease::wasLost);

            store.extensions.open();

            assertThat(extending)
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withCauseInstanceOf(LockException.class);
            assertThat(lease.isValid()).isFalse();
            await("what was prolonged for no one goes back").until(() -> !store.isLocked("k"));
        }
    }
}
