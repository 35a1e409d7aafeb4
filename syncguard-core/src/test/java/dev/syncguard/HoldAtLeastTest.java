package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lock that outlives its release (decision E11). */
class HoldAtLeastTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration MINIMUM = Duration.ofMinutes(10);
    private static final LockOptions KEPT = LockOptions.defaults().holdAtLeast(MINIMUM);

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final SyncGuard other = simulator.newGuard();
    private final List<LeaseLostException> losses = new CopyOnWriteArrayList<>();
    private final LogCapture log = LogCapture.start();
    private final long startMs = simulator.nowMs();

    @AfterEach
    void end() {
        log.close();
    }

    private Duration heldFor() {
        return Duration.ofMillis(simulator.stored("k").orElseThrow().expiresAtMs() - startMs);
    }

    private boolean isFree() {
        return other.tryAcquire("k") instanceof Lease;
    }

    private void assertKeptForTheMinimum() {
        assertThat(heldFor()).isEqualTo(MINIMUM);
        simulator.advance(MINIMUM.minusMillis(simulator.nowMs() - startMs + 1));
        assertThat(isFree()).as("before the minimum is over").isFalse();
        simulator.advance(Duration.ofMillis(1002));
        assertThat(isFree()).as("after the minimum").isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-15")
    @DisplayName("a release lets the lock expire at the end of the minimum, and is over for the holder")
    void released(Driver driver) {
        Lease lease = driver.acquire(guard, "k", KEPT.onLost(losses::add)).join();
        simulator.advance(Duration.ofSeconds(30));

        assertThat(driver.release(lease)).succeedsWithin(SOON).isEqualTo(true);

        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(driver.release(lease)).succeedsWithin(SOON).isEqualTo(false);
        assertThat(guard.release(lease.lockId())).as("again by lock id").isFalse();
        assertThat(driver.extend(lease, MINIMUM)).succeedsWithin(SOON).isEqualTo(ExtendResult.NOT_EXTENDED);
        assertKeptForTheMinimum();
        assertThat(lease.wasLost()).isFalse();
        assertThat(losses).isEmpty();
        assertThat(guard.pendingReleases()).isZero();
        assertThat(log.messages()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-15")
    @DisplayName("closing, and releasing by lock id through the guard, keep the minimum, too")
    void otherWays(Driver driver) {
        Lease closed = guard.acquire("closed", KEPT);
        Lease byId = guard.acquire("k", KEPT);

        assertThat(driver.close(closed)).succeedsWithin(SOON);
        assertThat(guard.release(byId.lockId())).isTrue();

        assertThat(other.isLocked("closed")).isTrue();
        assertKeptForTheMinimum();
        assertThat(other.isLocked("closed")).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-15")
    @DisplayName("the body of run and call keeps the minimum, also if it fails")
    void bodies(Driver driver) {
        assertThat(driver.call(guard, "k", KEPT, AbortSignal.none(), Lease::fence))
                .succeedsWithin(SOON);
        assertThat(driver.call(guard, "failed", KEPT, AbortSignal.none(), lease -> {
                    throw new IllegalStateException("the body's");
                }))
                .failsWithin(SOON);

        assertThat(other.isLocked("failed")).isTrue();
        assertKeptForTheMinimum();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-15")
    @DisplayName("releaseOnFailure releases at once if the body fails, and only then")
    void bodyThatFailed(Driver driver) {
        LockOptions options = KEPT.releaseOnFailure();

        assertThat(driver.call(guard, "failed", options, AbortSignal.none(), lease -> {
                    throw new IllegalStateException("the body's");
                }))
                .failsWithin(SOON)
                .withThrowableThat()
                .withMessageContaining("the body's");
        assertThat(driver.call(guard, "k", options, AbortSignal.none(), Lease::fence))
                .succeedsWithin(SOON);

        assertThat(simulator.stored("failed")).isEmpty();
        assertKeptForTheMinimum();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-15")
    @DisplayName("a holder whose work was not done may waive the minimum before its release, not after it")
    void waived(Driver driver) {
        Lease waived = guard.acquire("waived", KEPT);
        Lease late = guard.acquire("k", KEPT);

        waived.waiveHoldAtLeast();
        assertThat(waived.isValid()).isTrue();
        assertThat(driver.release(waived)).succeedsWithin(SOON).isEqualTo(true);
        assertThat(driver.release(late)).succeedsWithin(SOON).isEqualTo(true);
        late.waiveHoldAtLeast();
        assertThat(driver.release(late)).succeedsWithin(SOON).isEqualTo(false);

        assertThat(simulator.stored("waived")).isEmpty();
        assertKeptForTheMinimum();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-15")
    @DisplayName("a holder may set the minimum before its release, not after it; the last one counts")
    void setLater(Driver driver) {
        Lease lease = guard.acquire("k", LockOptions.defaults().onLost(losses::add));
        simulator.advance(Duration.ofSeconds(20));
        lease.holdAtLeast(Duration.ofHours(1));
        lease.holdAtLeast(MINIMUM.minusSeconds(20));

        assertThat(driver.release(lease)).succeedsWithin(SOON).isEqualTo(true);
        lease.holdAtLeast(Duration.ofHours(1));
        assertThat(driver.release(lease)).succeedsWithin(SOON).isEqualTo(false);

        assertThat(losses).isEmpty();
        assertKeptForTheMinimum();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-15")
    @DisplayName("a release after the minimum, or less than a millisecond before, is an ordinary one")
    void afterTheMinimum(Driver driver) {
        Lease lease = guard.acquire("k", KEPT.autoExtend());
        simulator.advance(MINIMUM.minusNanos(999_999));

        assertThat(driver.release(lease)).succeedsWithin(SOON).isEqualTo(true);

        assertThat(simulator.stored("k")).isEmpty();
        assertThat(lease.wasLost()).isFalse();
    }

    @Test
    @Rule("LSE-15")
    @DisplayName("a longer ttl is cut to the minimum at the release")
    void longerTtl() {
        Lease lease = guard.acquire("k", KEPT.ttl(Duration.ofHours(1)));
        simulator.advance(Duration.ofMinutes(1));

        lease.close();

        assertKeptForTheMinimum();
    }

    @Test
    @Rule("LSE-15")
    @DisplayName("the minimum counts from the reply to the grant, and is rounded up")
    void countsFromTheReply() {
        simulator.delayReply(Operation.ACQUIRE, Duration.ofMillis(200));
        Lease lease = guard.acquire("k", KEPT);
        simulator.advance(Duration.ofNanos(500_000));

        lease.close();

        assertThat(heldFor()).isBetween(MINIMUM.plusMillis(200), MINIMUM.plusMillis(201));
    }

    @Test
    @Rule("LSE-15")
    @DisplayName("a time of day that is set forward does not cut the minimum short")
    void clockSetForward() {
        Lease lease = guard.acquire("k", KEPT.ttl(Duration.ofHours(1)));
        simulator.suspendHolder("k", Duration.ofMinutes(2));

        lease.close();

        assertThat(heldFor()).isEqualTo(MINIMUM.plusMinutes(2));
    }

    @Test
    @Rule("LSE-16")
    @DisplayName("the minimum survives the death of its process, and renewals never shorten it")
    void survivesItsProcess() {
        guard.acquire("k", KEPT.autoExtend());
        simulator.advance(Duration.ofMinutes(4)); // renewed, though its ttl of 30 s is long over

        assertKeptForTheMinimumOfTheDead();
    }

    private void assertKeptForTheMinimumOfTheDead() {
        assertThat(heldFor()).isEqualTo(MINIMUM);
        simulator.pauseHolder("k", MINIMUM.minusMinutes(4).minusMillis(1));
        assertThat(isFree()).isFalse();
    }

    @Test
    @Rule("LSE-16")
    @DisplayName("work that lasts longer than the minimum is renewed with its ttl")
    void longWork() {
        Lease lease = guard.acquire("k", KEPT.autoExtend());

        simulator.advance(Duration.ofMinutes(30));

        assertThat(lease.isValid()).isTrue();
        assertThat(heldFor())
                .isBetween(Duration.ofMinutes(30), Duration.ofMinutes(30).plusSeconds(30));
        lease.close();
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @Rule("LSE-12")
    @DisplayName("a renewed lease notices a loss as soon as its ttl says, however long its minimum is")
    void noticesLoss() {
        Lease lease = guard.acquire("k", KEPT.autoExtend().onLost(losses::add));
        simulator.advance(Duration.ofMinutes(1));

        simulator.loseLock("k");
        simulator.advance(Duration.ofSeconds(10));

        assertThat(lease.wasLost()).isTrue();
        assertThat(losses).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a release that fails is repeated in the background, with the minimum that remains then")
    void repeated(Driver driver) {
        Lease lease = guard.acquire("k", KEPT.ttl(Duration.ofHours(1)).onLost(losses::add));
        simulator.outage(Duration.ofSeconds(10));

        assertThat(driver.release(lease)).failsWithin(SOON);
        assertThat(guard.pendingReleases()).isEqualTo(1);
        assertThat(heldFor()).isEqualTo(Duration.ofHours(1));
        simulator.advance(Duration.ofSeconds(30));

        assertThat(guard.pendingReleases()).isZero();
        assertThat(losses).isEmpty();
        assertKeptForTheMinimum();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a release that fails until the minimum is over ends as an ordinary one")
    void repeatedForLong(Driver driver) {
        Lease lease = guard.acquire("k", KEPT.ttl(Duration.ofHours(1)));
        simulator.outage(MINIMUM);

        assertThat(driver.close(lease)).succeedsWithin(SOON);
        simulator.advance(MINIMUM.plusMinutes(1));

        assertThat(simulator.stored("k")).isEmpty();
        assertThat(guard.pendingReleases()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a release whose reply is lost is repeated by hand or by close with what remains, and is no loss")
    void ambiguous(Driver driver) {
        Lease lease = guard.acquire("k", KEPT.ttl(Duration.ofHours(1)).onLost(losses::add));
        simulator.dropReply(Operation.EXTEND);
        simulator.dropReply(Operation.EXTEND);

        assertThat(driver.close(lease)).succeedsWithin(SOON);
        simulator.advance(Duration.ofSeconds(5));

        assertThat(guard.pendingReleases()).isZero();
        assertThat(losses).isEmpty();
        assertKeptForTheMinimum();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-11")
    @DisplayName("a release whose lock is gone is a loss, as any other")
    void gone(Driver driver) {
        Lease lease = guard.acquire("k", KEPT.onLost(losses::add));
        simulator.loseLock("k");

        assertThat(driver.release(lease)).succeedsWithin(SOON).isEqualTo(false);

        assertThat(lease.wasLost()).isTrue();
        assertThat(losses).hasSize(1);
        assertThat(simulator.stored("k")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-1")
    @DisplayName("what an acquire of unknown outcome was granted is really released: the work was not done")
    void compensation(Driver driver) {
        simulator.dropReply(Operation.ACQUIRE);

        assertThat(driver.acquire(guard, "k", KEPT)).failsWithin(SOON);
        simulator.advance(Duration.ofSeconds(1));

        assertThat(simulator.fenceCounter("k")).as("it was granted").isEqualTo(1);
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @Rule("CMP-1")
    @DisplayName("a grant that its caller has cancelled is really released")
    void cancelled() {
        GatedBackend store = new GatedBackend(SOON);
        try (SyncGuard real = SyncGuard.of(store)) {
            store.acquires.shut();
            CompletableFuture<Lease> acquiring = Driver.ASYNCHRONOUS.acquire(
                    real, "k", LockOptions.defaults().holdAtLeast(MINIMUM));
            await().until(() -> store.acquires.waiting() == 1);
            acquiring.cancel(false);
            store.acquires.open();

            await().until(() -> !real.isLocked("k"));
        }
    }

    @Test
    @DisplayName("closing the guard keeps the minimum of what was released and of what was not")
    void guardClosed() {
        Lease lease = guard.acquire("k", KEPT);
        guard.acquire("unreleased", KEPT);
        lease.close();

        guard.close();

        assertThat(other.isLocked("unreleased")).isTrue();
        assertKeptForTheMinimum();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a waiter of this process gets the lock when the minimum is over")
    void waiter(Driver driver) {
        Lease lease = guard.acquire("k", KEPT.ttl(Duration.ofHours(1)));
        LockOptions longer = LockOptions.defaults().ttl(Duration.ofHours(1)).waitAtMost(Duration.ofHours(2));
        CompletableFuture<Lease> waiting = driver.acquire(guard, "k", longer);
        await().until(() -> guard.waiters() == 1);
        assertThat(driver.close(lease)).succeedsWithin(SOON);

        simulator.advance(MINIMUM.minusMillis(1));
        assertThat(waiting).isNotDone();
        simulator.advance(Duration.ofSeconds(4));
        assertThat(Blocked.whileAdvancing(simulator, waiting).isValid()).isTrue();
    }

    @Test
    @DisplayName("holdAtMost is not shorter than holdAtLeast, in whatever order they are set")
    void limits() {
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofNanos(1_500_000), Duration.ofDays(366))) {
            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> LockOptions.defaults().holdAtLeast(wrong))
                    .matches(e -> e.code() == Code.INVALID_ARGUMENT);
        }
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> KEPT.holdAtMost(MINIMUM.minusMillis(1)))
                .matches(e -> e.code() == Code.INVALID_ARGUMENT);
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() ->
                        LockOptions.defaults().holdAtMost(Duration.ofMinutes(1)).holdAtLeast(MINIMUM))
                .matches(e -> e.code() == Code.INVALID_ARGUMENT);
        assertThat(KEPT.holdAtMost(MINIMUM).holdAtLeast()).contains(MINIMUM);
    }

    @Test
    @DisplayName("a lease of minimum and limit ends with its limit, which no renewal lifts")
    void limitAndMinimum() {
        Lease lease = guard.acquire("k", KEPT.autoExtend().holdAtMost(MINIMUM));

        simulator.advance(MINIMUM.minusSeconds(2));
        assertThat(lease.isValid()).isTrue();
        assertThat(heldFor()).isEqualTo(MINIMUM);
        simulator.advance(Duration.ofSeconds(3));
        assertThat(lease.isValid()).isFalse();
    }
}
