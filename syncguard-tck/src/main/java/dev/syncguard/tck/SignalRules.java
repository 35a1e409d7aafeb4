package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** SIG: waking those who wait. The waiters are on another backend than the holder, as in another process. */
abstract class SignalRules extends Rules {

    private static final int RACES = 40;

    SignalRules(LockBackendTck kit) {
        super(kit, Form.BLOCKING);
    }

    /** A waiter, and how often it was woken. */
    private record Listener(Subscription subscription, AtomicInteger wakeUps) implements AutoCloseable {

        int count() {
            return wakeUps.get();
        }

        @Override
        public void close() {
            subscription.close();
        }
    }

    /** Subscribes on a backend and waits until that stands and its first wake-up has come. */
    private Listener listen(LockBackend on, LockKey to) {
        ReleaseSignals signals =
                on.releaseSignals().orElseGet(() -> Assumptions.abort("this backend sends no release signals"));
        AtomicInteger wakeUps = new AtomicInteger();
        Listener listener = new Listener(signals.subscribe(to, wakeUps::incrementAndGet), wakeUps);
        await("the subscription becomes active", listener.subscription::isActive);
        awaitWakeUp(listener, 0);
        return listener;
    }

    private void awaitWakeUp(Listener listener, int before) {
        await("the waiter is woken", () -> listener.count() > before);
    }

    private static AcquireOutcome waitingAttempt(LockBackend on, LockKey key) {
        return on.acquire(new AcquireRequest(key, on.newLockId(key), MINUTE, true), NONE);
    }

    @Test
    @Rule("SIG-1")
    @DisplayName("a waiter that meets contention while the lock is being released is woken")
    void noMissedWakeUp() {
        LockBackend waiting = kit.other();
        for (int i = 0; i < RACES; i++) {
            LockKey contended = newKey();
            try (Listener listener = listen(waiting, contended)) {
                LockId holder = grant(contended).lockId();
                int before = listener.count();

                Callable<Object> attempt = () -> waitingAttempt(waiting, contended);
                Callable<Object> release = () -> backend.release(holder, NONE);
                List<Object> outcomes = Together.run(List.of(attempt, release));

                if (outcomes.get(0) instanceof Refused) {
                    awaitWakeUp(listener, before);
                }
            }
        }
    }

    @Test
    @Rule("SIG-2")
    @DisplayName("a release wakes everybody who subscribed and was refused")
    void wakesAll() {
        LockBackend waiting = kit.other();
        try (Listener first = listen(waiting, key);
                Listener second = listen(waiting, key);
                Listener third = listen(backend, key)) {
            LockId holder = grant(key).lockId();
            assertThat(waitingAttempt(waiting, key)).isInstanceOf(Refused.class);
            assertThat(waitingAttempt(backend, key)).isInstanceOf(Refused.class);
            int firstBefore = first.count();
            int secondBefore = second.count();
            int thirdBefore = third.count();

            backend.release(holder, NONE);

            awaitWakeUp(first, firstBefore);
            awaitWakeUp(second, secondBefore);
            awaitWakeUp(third, thirdBefore);
        }
    }

    @Test
    @Rule("SIG-3")
    @DisplayName("a subscription wakes its waiter when it becomes active")
    void wakesWhenActive() {
        try (Listener listener = listen(kit.other(), key)) {
            assertThat(listener.count()).isPositive();
        }
    }

    @Test
    @Rule("SIG-4")
    @DisplayName("a closed subscription is not active and does not wake its waiter")
    void closed() {
        LockBackend waiting = kit.other();
        try (Listener open = listen(waiting, key)) {
            Listener closed = listen(waiting, key);
            closed.close();
            int before = closed.count();
            LockId holder = grant(key).lockId();
            assertThat(waitingAttempt(waiting, key)).isInstanceOf(Refused.class);
            int openBefore = open.count();

            backend.release(holder, NONE);

            awaitWakeUp(open, openBefore);
            assertThat(closed.count()).isEqualTo(before);
            assertThat(closed.subscription.isActive()).isFalse();
        }
    }
}
