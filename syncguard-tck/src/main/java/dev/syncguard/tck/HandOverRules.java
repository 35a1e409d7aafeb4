package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockId;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.HandOver.Message;
import dev.syncguard.spi.HandOver.Place;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** HND: a release that grants. The waiters are on two backends, as in two processes. */
abstract class HandOverRules extends Rules {

    private static final int RACES = 40;
    private static final long SHORT_MS = 50;
    private static final Duration LAPSED = Duration.ofMillis(2 * SHORT_MS + Liveness.TIME_TOLERANCE_MS);

    private final Deque<QueuedWaiter> waiters = new ArrayDeque<>();

    HandOverRules(LockBackendTck kit) {
        super(kit, Form.BLOCKING);
    }

    @AfterEach
    void closeWaiters() {
        waiters.forEach(QueuedWaiter::close);
        waiters.clear();
    }

    /** Subscribes on a backend and waits until that stands. */
    private QueuedWaiter subscribe(LockBackend on) {
        QueuedWaiter waiter = new QueuedWaiter(on, key);
        waiters.push(waiter);
        await("the subscription becomes active", waiter::isActive);
        return waiter;
    }

    private QueuedWaiter queue(LockBackend on) {
        QueuedWaiter waiter = subscribe(on);
        assertThat(waiter.attempt()).isInstanceOf(Refused.class);
        return waiter;
    }

    private Message awaitMessage(QueuedWaiter waiter) {
        await("the waiter is told of its grant", () -> !waiter.messages.isEmpty());
        return Objects.requireNonNull(waiter.messages.peek());
    }

    private void releaseAs(LockId holder) {
        assertThat(backend.release(new ReleaseRequest(holder, key), NONE)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @Rule("HND-1")
    @DisplayName("a waiter that meets contention while the lock is being released is granted it")
    void noMissedGrant() {
        LockBackend waiting = kit.other();
        for (int i = 0; i < RACES; i++) {
            QueuedWaiter waiter = subscribe(waiting);
            LockId holder = grant(key).lockId();

            Callable<Object> attempt = waiter::attempt;
            Callable<Object> release = () -> backend.release(new ReleaseRequest(holder, key), NONE);
            List<Object> outcomes = Together.run(List.of(attempt, release));

            if (outcomes.get(0) instanceof Refused) {
                awaitMessage(waiter);
            }
            waiter.release();
            waiter.close();
        }
    }

    @Test
    @Rule("HND-2")
    @DisplayName("releases grant the lock to the waiters in the order in which they were refused")
    void firstComeFirstServed() {
        Granted before = grant(key);
        List<QueuedWaiter> queue = List.of(queue(kit.other()), queue(backend), queue(kit.other()), queue(backend));

        LockId holder = before.lockId();
        long fence = before.fence().value();
        for (QueuedWaiter next : queue) {
            releaseAs(holder);
            StoredLock lock = stored(key);
            assertThat(lock.lockId()).isEqualTo(next.lockId);
            assertThat(lock.fence().value()).isGreaterThan(fence);
            assertThat(awaitMessage(next).fence()).isEqualTo(lock.fence());
            assertThat(backend.findById(next.lockId, NONE)).map(StoredLock::key).contains(key.value());
            holder = next.lockId;
            fence = lock.fence().value();
        }
        releaseAs(holder);

        assertThat(store.stored(key.value())).isEmpty();
    }

    @Test
    @Rule("HND-2")
    @DisplayName("what is handed over is what the attempt asked for")
    void asAsked() {
        LockId holder = grant(key).lockId();
        QueuedWaiter waiter = subscribe(kit.other());
        String label = backend.capabilities().labels() ? "müller:\"4711\"" : null;
        assertThat(waiter.attempt(HOUR, new Place(7, 60_000, 3_600_000), label)).isInstanceOf(Refused.class);

        releaseAs(holder);

        StoredLock lock = stored(key);
        assertThat(lock.key()).isEqualTo(key.value());
        assertThat(backend.findByKey(key, NONE)).map(StoredLock::label).isEqualTo(Optional.ofNullable(label));
        assertThat(lock.expiresAtMs() - lock.acquiredAtMs()).isEqualTo(HOUR.millis());
        assertThat(waiter.attempt())
                .isInstanceOfSatisfying(
                        Granted.class, granted -> assertThat(granted.fence()).isEqualTo(lock.fence()));
    }

    @Test
    @Rule("HND-3")
    @DisplayName("a waiter that asks again keeps its place")
    void keepsPlace() {
        LockId holder = grant(key).lockId();
        QueuedWaiter first = queue(kit.other());
        queue(backend);
        assertThat(first.attempt()).isInstanceOf(Refused.class);

        releaseAs(holder);

        assertThat(stored(key).lockId()).isEqualTo(first.lockId);
    }

    @Test
    @Rule("HND-4")
    @DisplayName("a grant that was handed over lasts for its claim, and for the ttl once it is extended")
    void lastsForItsClaim() {
        LockId holder = grant(key).lockId();
        QueuedWaiter waiter = queue(kit.other());

        releaseAs(holder);
        StoredLock claimed = stored(key);
        Extended extended = (Extended) backend.extend(new ExtendRequest(waiter.lockId, key, HOUR, Mode.AT_LEAST), NONE);

        assertThat(claimed.expiresAtMs() - claimed.acquiredAtMs()).isEqualTo(QueuedWaiter.CLAIM_MS);
        assertThat(awaitMessage(waiter).claimMs()).isEqualTo(QueuedWaiter.CLAIM_MS);
        assertThat(extended.remainingMs()).isGreaterThan(QueuedWaiter.CLAIM_MS);
        assertThat(stored(key).fence()).isEqualTo(claimed.fence());
    }

    @Test
    @Rule("HND-4")
    @DisplayName("a claim is never longer than the ttl")
    void claimIsAtMostTheTtl() {
        LockId holder = grant(key).lockId();
        QueuedWaiter waiter = subscribe(kit.other());
        assertThat(waiter.attempt(new Ttl(SHORT_MS), 60_000, 1000)).isInstanceOf(Refused.class);

        releaseAs(holder);

        assertThat(awaitMessage(waiter).claimMs()).isEqualTo(SHORT_MS);
    }

    @Test
    @Rule("HND-5")
    @DisplayName("a message says how long ago the last attempt was refused")
    void saysHowLongItWaited() {
        LockId holder = grant(key).lockId();
        QueuedWaiter waiter = queue(kit.other());
        kit.passTime(Duration.ofMillis(SHORT_MS));
        long before = store.nowMs();
        assertThat(waiter.attempt()).isInstanceOf(Refused.class);
        kit.passTime(Duration.ofMillis(SHORT_MS));

        releaseAs(holder);

        Message message = awaitMessage(waiter);
        assertThat(message.attempt()).isEqualTo(waiter.attempts());
        assertThat(message.waitedMs()).isBetween(SHORT_MS - 1, store.nowMs() - before);
    }

    @Test
    @Rule("HND-6")
    @DisplayName("a waiter that leaves is passed over, and hands over what it was granted")
    void leaves() {
        LockId holder = grant(key).lockId();
        QueuedWaiter leaving = queue(kit.other());
        QueuedWaiter granted = queue(backend);
        QueuedWaiter last = queue(kit.other());

        assertThat(leaving.release()).isEqualTo(ReleaseOutcome.NOT_FOUND);
        releaseAs(holder);
        assertThat(granted.release()).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(stored(key).lockId()).isEqualTo(last.lockId);
        assertThat(leaving.messages).isEmpty();
    }

    @Test
    @Rule("HND-7")
    @DisplayName("a place that has expired is passed over")
    void placeExpires() {
        LockId holder = grant(key).lockId();
        QueuedWaiter forgotten = subscribe(kit.other());
        assertThat(forgotten.attempt(HOUR, 1, 1000)).isInstanceOf(Refused.class);
        QueuedWaiter waiter = queue(backend);
        kit.passTime(Duration.ofMillis(SHORT_MS));

        releaseAs(holder);

        assertThat(stored(key).lockId()).isEqualTo(waiter.lockId);
    }

    @Test
    @Rule("HND-8")
    @DisplayName("a waiter that does not listen any more holds up the next one for its claim at most")
    void doesNotListen() {
        LockId holder = grant(key).lockId();
        QueuedWaiter gone = subscribe(kit.other());
        assertThat(gone.attempt(HOUR, 60_000, SHORT_MS)).isInstanceOf(Refused.class);
        gone.close();
        QueuedWaiter waiter = queue(backend);

        releaseAs(holder);
        kit.passTime(LAPSED);

        AcquireOutcome outcome = waiter.attempt();
        boolean lapsed = outcome instanceof Granted || !waiter.messages.isEmpty();
        assertThat(lapsed).isTrue();
    }
}
