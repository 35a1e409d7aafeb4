package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.HandOver.Heir;
import dev.syncguard.spi.HandOver.Message;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a waiter makes of a lock that a release has handed over to it. */
class HandOverTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration LAPSED = Duration.ofMillis(2100); // the claim and the tolerance
    private static final LockOptions SLOW_POLLS = LockOptions.defaults()
            .ttl(Duration.ofMinutes(1))
            .waitAtMost(Duration.ofMinutes(10))
            .retryDelay(Duration.ofMinutes(1))
            .maxRetryDelay(Duration.ofMinutes(1));

    private final LockSimulator simulator = new LockSimulator();
    private final AtomicInteger attempts = new AtomicInteger();
    private final BlockingQueue<Message> told = new LinkedBlockingQueue<>();
    private volatile BiConsumer<Heir, Message> delivery = Heir::granted;
    private volatile Heir waiting = new Nobody();

    private final List<SyncGuard> guards = new ArrayList<>();
    private final SyncGuard holder = open(simulator.newGuard());
    private final SyncGuard waiter = open(simulator.newGuard(this::observed, builder -> builder));

    @AfterEach
    void end() {
        guards.forEach(SyncGuard::close);
    }

    private SyncGuard open(SyncGuard guard) {
        guards.add(guard);
        return guard;
    }

    private record Nobody() implements Heir {
        @Override
        public void wake() {}

        @Override
        public void granted(Message message) {}
    }

    /** Counts the attempts that were answered, and puts {@link #delivery} between the store and the waiter. */
    private LockBackend observed(LockBackend backend) {
        return new CallProxy((point, call) -> {
                    Object result = call.proceed();
                    if (point.method().endsWith(".acquire")) {
                        attempts.incrementAndGet();
                    }
                    return result;
                })
                .around(new ForwardingLockBackend(backend) {
                    @Override
                    public Optional<HandOver> handOver() {
                        return target().handOver().map(Delivered::new);
                    }
                });
    }

    private final class Delivered implements HandOver {
        private final HandOver target;

        Delivered(HandOver target) {
            this.target = target;
        }

        @Override
        public Subscription subscribe(LockKey key, LockId lockId, Heir heir) {
            waiting = heir;
            return target.subscribe(key, lockId, new Heir() {
                @Override
                public void wake() {
                    heir.wake();
                }

                @Override
                public void granted(Message message) {
                    told.add(message);
                    delivery.accept(heir, message);
                }
            });
        }

        @Override
        public boolean isListening(LockKey key) {
            return target.isListening(key);
        }
    }

    /** Starts an acquire of the waiter, which is in the queue when this returns. */
    private CompletableFuture<Lease> queue(Driver driver, LockOptions options) {
        CompletableFuture<Lease> lease = driver.acquire(waiter, "k", options);
        await().until(() -> attempts.get() == 2);
        return lease;
    }

    private Message awaitMessage() throws InterruptedException {
        Message message = told.poll(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(message).isNotNull();
        return Objects.requireNonNull(message);
    }

    private void assertConfirmed(Lease lease) {
        await().until(() -> {
            simulator.advance(Duration.ofMillis(1));
            return lease.remaining().compareTo(LONG) > 0;
        });
        assertThat(simulator.stored("k").orElseThrow().expiresAtMs() - simulator.nowMs())
                .isGreaterThan(LONG.toMillis());
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-15")
    @DisplayName("a waiter gets the lock by the message of the release, without another attempt")
    void byMessage(Driver driver) {
        Lease held = holder.acquire("k");
        CompletableFuture<Lease> acquired = queue(driver, SLOW_POLLS);

        held.release();
        Lease lease = Blocked.result(acquired);

        assertThat(lease.isValid()).isTrue();
        assertThat(lease.fence().isNewerThan(held.fence())).isTrue();
        assertThat(attempts).hasValue(2);
        assertConfirmed(lease);
        assertThat(lease.release()).isTrue();
        assertThat(simulator.stored("k")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-15")
    @DisplayName("guards that wait get the lock in the order in which they came")
    void firstComeFirstServed(Driver driver) {
        Lease held = holder.acquire("k");
        List<CompletableFuture<Lease>> acquired = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            SyncGuard guard = open(simulator.newGuard(this::observed, builder -> builder));
            acquired.add(driver.acquire(guard, "k", SLOW_POLLS));
            int answered = 2 * i;
            await().until(() -> attempts.get() == answered);
        }

        for (CompletableFuture<Lease> next : acquired) {
            held.release();
            held = Blocked.result(next);
        }

        assertThat(acquired.stream().map(Blocked::result).map(Lease::fence))
                .containsExactly(new Fence(2), new Fence(3), new Fence(4), new Fence(5), new Fence(6));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-16")
    @DisplayName("a message that comes after the claim is over is not believed: the waiter asks again")
    void tooLate(Driver driver) throws Exception {
        delivery = (heir, message) -> {};
        Lease held = holder.acquire("k");
        CompletableFuture<Lease> acquired = queue(driver, SLOW_POLLS);
        held.release();
        Message late = awaitMessage();
        simulator.advance(LAPSED);

        waiting.granted(late);

        Lease lease = Blocked.result(acquired);
        assertThat(lease.fence().isNewerThan(late.fence())).isTrue();
        assertThat(attempts).hasValue(3);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-16")
    @DisplayName("a message about an attempt before the last one is not believed")
    void oldMessage(Driver driver) throws Exception {
        delivery = (heir, message) -> {};
        Lease held = holder.acquire("k");
        CompletableFuture<Lease> acquired = queue(driver, SLOW_POLLS);
        held.release();
        Message old = awaitMessage();
        simulator.advance(LAPSED);
        Lease next = holder.acquire("k", SLOW_POLLS.ttl(Duration.ofHours(1)));
        waiting.wake();
        await().until(() -> attempts.get() == 3);

        waiting.granted(new Message(old.attempt(), old.fence(), old.expiresAtMs(), 3_600_000, 0));

        delivery = Heir::granted;
        assertThat(acquired).isNotDone();
        next.release();
        assertThat(Blocked.result(acquired).fence()).isEqualTo(awaitMessage().fence());
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-16")
    @DisplayName("a message about an attempt before the last one is a reason to ask at once, which finds a grant")
    void oldMessageWakes(Driver driver) throws Exception {
        Lease held = holder.acquire("k");
        CompletableFuture<Lease> acquired = queue(driver, SLOW_POLLS);
        waiting.wake();
        await().until(() -> attempts.get() == 3);
        delivery = (heir, message) -> heir.granted(new Message(
                message.attempt() - 1, message.fence(), message.expiresAtMs(), message.claimMs(), message.waitedMs()));

        held.release();

        Lease lease = Blocked.result(acquired);
        assertThat(lease.fence()).isEqualTo(awaitMessage().fence());
        assertThat(attempts).hasValue(4);
        assertConfirmed(lease);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-16")
    @DisplayName("a lease that was handed over is trusted from the attempt and the wait that the store measured")
    void deadline(Driver driver) throws Exception {
        delivery = (heir, message) -> {};
        Lease held = holder.acquire("k");
        CompletableFuture<Lease> acquired = queue(driver, SLOW_POLLS);
        simulator.advance(Duration.ofSeconds(5));
        held.release();
        simulator.advance(Duration.ofMillis(600));

        simulator.outage(Duration.ofMinutes(1));
        waiting.granted(awaitMessage());

        assertThat(Blocked.result(acquired).remaining()).isBetween(Duration.ofMillis(300), Duration.ofMillis(400));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-16")
    @DisplayName("a store whose clock was set forward makes no waiter trust its lease for longer than the claim")
    void clockSetForward(Driver driver) throws Exception {
        delivery = (heir, message) -> {};
        Lease held = holder.acquire("k");
        CompletableFuture<Lease> acquired = queue(driver, SLOW_POLLS);
        held.release();
        Message message = awaitMessage();

        simulator.outage(Duration.ofMinutes(1));
        waiting.granted(
                new Message(message.attempt(), message.fence(), message.expiresAtMs(), message.claimMs(), 3_600_000));

        assertThat(Blocked.result(acquired).remaining()).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-16")
    @DisplayName("if the message is lost, a poll finds the grant")
    void lostMessage(Driver driver) throws Exception {
        delivery = (heir, message) -> {};
        Lease held = holder.acquire("k");
        CompletableFuture<Lease> acquired =
                queue(driver, SLOW_POLLS.retryDelay(Duration.ofMillis(100)).maxRetryDelay(Duration.ofMillis(100)));
        held.release();

        Lease lease = Blocked.whileAdvancing(simulator, acquired);

        assertThat(lease.fence()).isEqualTo(awaitMessage().fence());
        assertConfirmed(lease);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-17")
    @DisplayName("a lease whose confirmation is refused is lost")
    void refusedConfirmation(Driver driver) {
        delivery = (heir, message) -> {
            simulator.loseLock("k");
            heir.granted(message);
        };
        Lease held = holder.acquire("k");
        CompletableFuture<Lease> acquired = queue(driver, SLOW_POLLS);

        held.release();
        Lease lease = Blocked.result(acquired);

        await().until(() -> {
            simulator.advance(Duration.ofMillis(1));
            return lease.wasLost();
        });
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-17")
    @DisplayName("a confirmation that fails is repeated")
    void repeatedConfirmation(Driver driver) {
        simulator.failNext(LockSimulator.Operation.EXTEND, Code.SERVICE_UNAVAILABLE);
        simulator.dropReply(LockSimulator.Operation.EXTEND);
        Lease held = holder.acquire("k");
        CompletableFuture<Lease> acquired = queue(driver, SLOW_POLLS);

        held.release();

        Lease lease = Blocked.result(acquired);
        await().until(() -> {
            simulator.advance(Duration.ofMillis(10));
            return lease.remaining().compareTo(LONG) > 0;
        });
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-18")
    @DisplayName("a waiter that is cancelled leaves the queue")
    void cancelled(Driver driver) {
        AbortSignal cancel = AbortSignal.create();
        Lease held = holder.acquire("k");
        CompletableFuture<Lease> acquired = driver.acquire(waiter, "k", SLOW_POLLS, cancel);
        await().until(() -> attempts.get() == 2);

        cancel.abort();

        assertThatThrownBy(() -> Blocked.result(acquired)).isInstanceOf(LockException.class);
        await().until(() -> waiter.pendingReleases() == 0);
        held.release();
        assertThat(simulator.stored("k")).isEmpty();
        assertThat(told).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-18")
    @DisplayName("a waiter that leaves while it is granted the lock hands it over to the next")
    void cancelledWhileGranted(Driver driver) throws Exception {
        delivery = (heir, message) -> {};
        AbortSignal cancel = AbortSignal.create();
        Lease held = holder.acquire("k");
        CompletableFuture<Lease> acquired = driver.acquire(waiter, "k", SLOW_POLLS, cancel);
        await().until(() -> attempts.get() == 2);
        SyncGuard last = open(simulator.newGuard(this::observed, builder -> builder));
        CompletableFuture<Lease> next = driver.acquire(last, "k", SLOW_POLLS);
        await().until(() -> attempts.get() == 4);
        held.release();
        Message lost = awaitMessage();
        delivery = Heir::granted;

        cancel.abort();

        assertThatThrownBy(() -> Blocked.result(acquired)).isInstanceOf(LockException.class);
        assertThat(Blocked.result(next).fence().isNewerThan(lost.fence())).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-18")
    @DisplayName("a guard that closes takes its waiters out of the queue")
    void closed(Driver driver) {
        Lease held = holder.acquire("k");
        CompletableFuture<Lease> acquired = queue(driver, SLOW_POLLS);

        waiter.close();

        assertThat(acquired).failsWithin(LONG);
        held.release();
        assertThat(told).isEmpty();
        assertThat(holder.tryAcquire("k")).isInstanceOf(Lease.class);
    }
}
