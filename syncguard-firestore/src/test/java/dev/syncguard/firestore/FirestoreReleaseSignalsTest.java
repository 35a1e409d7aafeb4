package dev.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.Lease;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Listeners: how many there are, and when they end. What they must do is in the contract. */
class FirestoreReleaseSignalsTest {

    private final Firestore client = TestServer.sharedClient();
    private final FirestoreReleaseSignals signals =
            new FirestoreReleaseSignals(FirestoreCollections.of(client, "locks", "fence_counters", false));

    @AfterEach
    void close() {
        signals.close();
    }

    private static LockKey newKey() {
        return LockKey.of("signal:" + LockIds.random().value());
    }

    @Test
    @DisplayName("one listener for all waiters of a key, dropped with the last of them")
    void oneForEachKey() {
        LockKey key = newKey();
        AtomicInteger wakeUps = new AtomicInteger();
        Subscription first = signals.subscribe(key, wakeUps::incrementAndGet);
        Subscription second = signals.subscribe(key, wakeUps::incrementAndGet);

        assertThat(signals.size()).isEqualTo(1);
        await().until(() -> first.isActive() && second.isActive() && wakeUps.get() >= 2);
        first.close();
        first.close();
        assertThat(first.isActive()).isFalse();
        assertThat(second.isActive()).isTrue();
        assertThat(signals.size()).isEqualTo(1);
        second.close();
        assertThat(signals.size()).isZero();
    }

    @Test
    @DisplayName("beyond the limit waiters poll; a place that becomes free is used")
    void limit() {
        List<Subscription> open = new ArrayList<>();
        for (int i = 0; i < FirestoreReleaseSignals.MOST_LISTENERS; i++) {
            open.add(signals.subscribe(newKey(), () -> {}));
        }

        Subscription tooMany = signals.subscribe(newKey(), () -> {});
        assertThat(signals.size()).isEqualTo(FirestoreReleaseSignals.MOST_LISTENERS);
        assertThat(tooMany.isActive()).isFalse();
        tooMany.close();
        open.get(0).close();

        Subscription inItsPlace = signals.subscribe(newKey(), () -> {});
        await().until(inItsPlace::isActive);
        open.forEach(Subscription::close);
        inItsPlace.close();
        assertThat(signals.size()).isZero();
    }

    @Test
    @DisplayName("a closed backend listens no more")
    void closed() {
        Subscription subscription = signals.subscribe(newKey(), () -> {});

        signals.close();

        assertThat(signals.size()).isZero();
        assertThat(subscription.isActive()).isFalse();
        assertThat(signals.subscribe(newKey(), () -> {}).isActive()).isFalse();
        assertThat(signals.size()).isZero();
    }

    @Test
    @DisplayName("a release in one process wakes the waiter in another, long before its next poll")
    void wakesAcrossProcesses() {
        String key = newKey().value();
        LockOptions hardlyPolls = LockOptions.defaults()
                .waitAtMost(Duration.ofMinutes(2))
                .retryDelay(Duration.ofMinutes(1))
                .maxRetryDelay(Duration.ofMinutes(1));
        try (SyncGuard one = SyncGuard.of(FirestoreLockBackend.builder(client).build());
                SyncGuard two =
                        SyncGuard.of(FirestoreLockBackend.builder(client).build())) {
            Lease held = one.acquire(key, LockOptions.defaults().ttl(Duration.ofMinutes(5)));
            CompletableFuture<Lease> waiter =
                    two.async().acquire(key, hardlyPolls).toCompletableFuture();
            await().during(Duration.ofMillis(300)).until(() -> !waiter.isDone());

            held.release();

            assertThat(waiter)
                    .succeedsWithin(30, TimeUnit.SECONDS)
                    .satisfies(lease -> assertThat(lease.isValid()).isTrue());
        }
    }
}
