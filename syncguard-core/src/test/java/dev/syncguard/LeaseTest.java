package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LeaseTest {

    private static final LockOptions TEN_SECONDS = LockOptions.defaults().ttl(Duration.ofSeconds(10));

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final SyncGuard other = simulator.newGuard();
    private final LogCapture log = LogCapture.start();

    @AfterEach
    void end() {
        log.close();
        guard.close();
        other.close();
    }

    @Test
    @DisplayName("leases that nobody closes are not kept for ever")
    void neverClosed() {
        SyncGuard careless = simulator.newGuard();
        for (int i = 0; i < 5000; i++) {
            assertThat(careless.tryAcquire("forgotten:" + i)).isInstanceOf(Lease.class);
            simulator.advance(Duration.ofMillis(100)); // 300 of them last at any time
        }
        careless.close();

        assertThat(log.messages())
                .anySatisfy(message -> assertThat(message).matches("closed while \\d{3} more leases were held"));
    }

    @Test
    @Rule("LSE-1")
    @DisplayName("the deadline counts from before the request, less a thousandth of the ttl")
    void deadline() {
        simulator.delayReply(Operation.ACQUIRE, Duration.ofSeconds(4));

        Lease lease = guard.acquire("k", TEN_SECONDS);

        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(10_000 - 4_000 - 10));
        simulator.delayReply(Operation.EXTEND, Duration.ofSeconds(1));
        assertThat(lease.extend(Duration.ofSeconds(20)).ok()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(20_000 - 1_000 - 20));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-1")
    @DisplayName("a repeated acquire that meets its own lock is believed no longer than the store does")
    void replay(Driver driver) {
        simulator.dropReply(Operation.ACQUIRE);
        LockOptions patient = TEN_SECONDS
                .retryStoreErrors()
                .waitAtMost(Duration.ofSeconds(30))
                .retryDelay(Duration.ofSeconds(2))
                .maxRetryDelay(Duration.ofSeconds(2))
                .jitter(Jitter.NONE);

        Lease lease = Blocked.whileAdvancing(simulator, driver.acquire(guard, "k", patient));

        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofMillis(8_000 - 10));
        assertThat(lease.fence()).isEqualTo(new Fence(1));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-2")
    @DisplayName("a grant that arrives after its deadline is not a lease, and goes back")
    void lateGrant(Driver driver) {
        simulator.delayReply(Operation.ACQUIRE, Duration.ofMillis(9_990));

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> Blocked.whileAdvancing(simulator, driver.acquire(guard, "k", TEN_SECONDS)))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(Code.NETWORK_TIMEOUT);
                    assertThat(e.outcomeUnknown()).isTrue();
                });
        assertThat(simulator.stored("k")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-3")
    @DisplayName("an extension that arrives after the lease has ended does not bring it back")
    void lateExtension(Driver driver) {
        Lease lease = guard.acquire("k", TEN_SECONDS);
        simulator.advance(Duration.ofSeconds(9));
        simulator.delayReply(Operation.EXTEND, Duration.ofSeconds(11));

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> Blocked.whileAdvancing(simulator, driver.extend(lease, Duration.ofSeconds(10))))
                .satisfies(e -> assertThat(e.outcomeUnknown()).isTrue());

        assertThat(lease.wasLost()).isTrue();
        assertThat(lease.extend(Duration.ofSeconds(10)).ok()).isFalse();
    }

    @Test
    @Rule("LSE-3")
    @DisplayName("a loss that was noticed while an extension was under way stays, and the lock goes back")
    void lostMeanwhile() {
        Lease lease = guard.acquire("k", TEN_SECONDS);
        simulator.advance(Duration.ofSeconds(9));
        simulator.delayReply(Operation.EXTEND, Duration.ofSeconds(2));
        var extending =
                guard.async().extend(lease.lockId(), Duration.ofMinutes(1)).toCompletableFuture();
        simulator.advance(Duration.ofMillis(1_500));
        assertThat(lease.isValid()).isFalse();

        simulator.advance(Duration.ofSeconds(1));

        assertThat(extending).isCompletedExceptionally();
        assertThat(lease.isValid()).isFalse();
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @Rule("LSE-4")
    @DisplayName("call throws the loss with the body's result if the lease ended first")
    void callLost() {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> guard.call("k", TEN_SECONDS, lease -> {
                    simulator.advance(Duration.ofSeconds(10));
                    return "charged";
                }))
                .satisfies(loss -> {
                    assertThat(loss.reason()).isEqualTo(Reason.EXPIRED);
                    assertThat(loss.result()).contains("charged");
                    assertThat(loss.key()).contains("k");
                });
    }

    @Test
    @Rule("LSE-4")
    @DisplayName("run throws the loss if the store lost the lock, although the deadline lies ahead")
    void runGone() {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> guard.run("k", lease -> simulator.loseLock("k")))
                .satisfies(loss -> {
                    assertThat(loss.reason()).isEqualTo(Reason.GONE);
                    assertThat(loss.result()).isEmpty();
                });
    }

    @Test
    @Rule("LSE-4")
    @DisplayName("a body that releases by itself is not a loss")
    void releasedByBody() {
        boolean released = guard.call("k", lease -> lease.release());

        assertThat(released).isTrue();
    }

    @Test
    @Rule("LSE-5")
    @DisplayName("the body's exception comes out unchanged, checked ones too, and the lock is free")
    void bodyThrows() {
        IOException failure = new IOException("disk");

        assertThatThrownBy(() -> guard.run("k", lease -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(guard.isLocked("k")).isFalse();

        assertThatThrownBy(() -> guard.run("k", TEN_SECONDS, lease -> {
                    simulator.advance(Duration.ofMinutes(1));
                    throw failure;
                }))
                .isSameAs(failure)
                .satisfies(e -> assertThat(e.getSuppressed()).hasAtLeastOneElementOfType(LeaseLostException.class));
    }

    @Test
    @Rule("LSE-6")
    @DisplayName("a loss is told once: to onLost, by wasLost, and by one warning without the key")
    void told() {
        List<LeaseLostException> losses = new CopyOnWriteArrayList<>();
        Lease lease = guard.acquire("secret-key", TEN_SECONDS.onLost(losses::add));

        simulator.advance(Duration.ofSeconds(10));
        await().until(() -> !losses.isEmpty());
        assertThat(lease.wasLost()).isTrue();
        lease.close();
        lease.isValid();

        assertThat(losses)
                .singleElement()
                .satisfies(loss -> assertThat(loss.lockId()).contains(lease.lockId()));
        assertThat(log.messages())
                .singleElement()
                .asString()
                .contains(lease.keyHash())
                .doesNotContain("secret-key");
    }

    @Test
    @Rule("LSE-6")
    @DisplayName("onLost learns of a passed deadline without autoExtend and without being asked")
    void onLostAlone() {
        List<LeaseLostException> losses = new CopyOnWriteArrayList<>();
        Lease lease = guard.acquire("k", TEN_SECONDS.onLost(losses::add));
        simulator.advance(Duration.ofSeconds(5));
        assertThat(lease.extend(Duration.ofSeconds(10)).ok()).isTrue();

        simulator.advance(Duration.ofSeconds(6));
        assertThat(losses).isEmpty();
        simulator.advance(Duration.ofSeconds(4));

        await().until(() -> losses.size() == 1);
    }

    @Test
    @Rule("LSE-7")
    @DisplayName("released, lost or past its deadline: not valid in any way")
    void invalid() {
        Lease released = guard.acquire("a");
        released.release();
        Lease lost = guard.acquire("b");
        simulator.loseLock("b");
        lost.extend(Duration.ofSeconds(1));
        Lease late = guard.acquire("c", TEN_SECONDS);
        simulator.advance(Duration.ofMillis(9_990));

        for (Lease lease : List.of(released, lost, late)) {
            assertThat(lease.isValid()).isFalse();
            assertThat(lease.remaining()).isZero();
            assertThatThrownBy(lease::ensureValid).isInstanceOf(LeaseLostException.class);
        }
        assertThat(released.wasLost()).isFalse();
        assertThat(lost.wasLost()).isTrue();
        assertThat(late.wasLost()).isTrue();
    }

    @Test
    @Rule("LSE-7")
    @DisplayName("a valid lease says so")
    void valid() {
        Lease lease = guard.acquire("k", TEN_SECONDS);
        simulator.advance(Duration.ofMillis(9_989));

        lease.ensureValid();
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.wasLost()).isFalse();
    }

    @Test
    @Rule("LSE-9")
    @DisplayName("after an extension of unknown outcome the earlier deadline holds")
    void ambiguousExtension() {
        Lease lease = guard.acquire("k", TEN_SECONDS);
        simulator.dropReply(Operation.EXTEND);
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(5))).isInstanceOf(LockException.class);
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(4_995));

        simulator.dropReply(Operation.EXTEND);
        assertThatThrownBy(() -> lease.extend(Duration.ofMinutes(5))).isInstanceOf(LockException.class);
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(4_995));
    }

    @Test
    @Rule("LSE-9")
    @DisplayName("a short extension whose reply was lost may still arrive: it limits what later ones are trusted for")
    void shortPending() {
        Lease lease = guard.acquire("k", TEN_SECONDS);
        simulator.dropReply(Operation.EXTEND);
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(5))).isInstanceOf(LockException.class);

        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(4_995));

        assertThat(lease.extend(Duration.ofMinutes(1)).ok()).isTrue();

        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(5_000 - 60));
    }

    @Test
    @Rule("LSE-9")
    @DisplayName("an extension that failed never prolongs, and a shorter one counts from when it was sent (E1)")
    void failedExtension() {
        Lease lease = guard.acquire("k", TEN_SECONDS);
        simulator.failNext(Operation.EXTEND, Code.SERVICE_UNAVAILABLE);

        assertThatThrownBy(() -> lease.extend(Duration.ofMinutes(5))).isInstanceOf(LockException.class);
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(9_990));

        simulator.failNext(Operation.EXTEND, Code.SERVICE_UNAVAILABLE);
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(5))).isInstanceOf(LockException.class);
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(4_995));
    }

    @Test
    @Rule("LSE-10")
    @DisplayName("release and extend by id go through the guard's own lease")
    void byId() {
        Lease lease = guard.acquire("k", TEN_SECONDS);

        assertThat(guard.extend(lease.lockId(), Duration.ofSeconds(3)).ok()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(2_997));
        assertThat(guard.release(lease.lockId())).isTrue();
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.wasLost()).isFalse();
    }

    @Test
    @Rule("LSE-11")
    @DisplayName("a failing store is thrown, an absent lock is false")
    void failureAndAbsence() {
        Lease lease = guard.acquire("k");
        simulator.failNext(Operation.EXTEND, Code.SERVICE_UNAVAILABLE);
        simulator.failNext(Operation.RELEASE, Code.AUTH_FAILED);
        simulator.failNext(Operation.RELEASE, Code.AUTH_FAILED); // of the repetition in the background

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> lease.extend(Duration.ofSeconds(1)))
                .satisfies(e -> assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE));
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(lease::release)
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(Code.AUTH_FAILED);
                    assertThat(e).hasMessageContaining("repeated in the background");
                    assertThat(e.lockId()).contains(lease.lockId());
                });
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.release()).as("a failed release may be repeated").isTrue();
        assertThat(lease.release()).isFalse();

        Lease gone = guard.acquire("gone");
        simulator.loseLock("gone");
        assertThat(gone.extend(Duration.ofSeconds(1)).ok()).isFalse();
        assertThat(gone.release()).isFalse();
    }

    @Test
    @Rule("LSE-11")
    @DisplayName("a lock taken over by another holder is not released by the old one")
    void takenOver() {
        Lease old = guard.acquire("k", TEN_SECONDS);
        simulator.advance(Duration.ofSeconds(11));
        Lease current = other.acquire("k");

        assertThat(old.release()).isFalse();
        assertThat(other.owns(current.lockId())).isTrue();
        assertThat(current.fence().isNewerThan(old.fence())).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-3")
    @DisplayName("an extension that arrives after the old deadline is too late, whether anybody has looked or not")
    void afterTheOldDeadline(Driver driver) {
        for (LockOptions options : List.of(TEN_SECONDS, TEN_SECONDS.onLost(loss -> {}))) {
            Lease lease = guard.acquire("k", options);
            simulator.advance(Duration.ofSeconds(9));
            simulator.delayReply(Operation.EXTEND, Duration.ofSeconds(2));

            assertThatThrownBy(() -> Blocked.whileAdvancing(simulator, driver.extend(lease, Duration.ofMinutes(1))))
                    .isInstanceOf(LockException.class);

            assertThat(lease.wasLost()).isTrue();
            assertThat(simulator.stored("k")).isEmpty();
        }
    }
}
