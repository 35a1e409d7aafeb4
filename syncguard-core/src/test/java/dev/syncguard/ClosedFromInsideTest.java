package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A guard that is closed by what it runs: it cannot wait for that to end. */
class ClosedFromInsideTest {

    /** Less than the bound of closing, which is two command timeouts. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final LockOptions LONG = LockOptions.defaults().ttl(Duration.ofMinutes(5));

    private final AtomicBoolean closed = new AtomicBoolean();
    private final GatedBackend store = new GatedBackend(Duration.ofMinutes(1)) {
        @Override
        public void close() {
            closed.set(true);
            super.close();
        }
    };
    private final SyncGuard guard = SyncGuard.of(store);
    private final LogCapture log = LogCapture.start();

    @AfterEach
    void end() {
        log.close();
    }

    private void assertClosedProperly(String key) {
        await().atMost(SOON).untilTrue(closed);
        assertThat(store.isLocked(key)).isFalse();
        assertThat(log.messages()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("DSP-11")
    @DisplayName("C2: a body that closes its guard goes on, keeps its lock to its end, and releases it")
    void fromBody(Driver driver) {
        CompletableFuture<Boolean> body = driver.call(guard, "k", LONG, AbortSignal.none(), lease -> {
            guard.close();
            return lease.isValid() && store.isLocked("k") && !closed.get();
        });

        assertThat(body).succeedsWithin(SOON).isEqualTo(true);
        assertClosedProperly("k");
    }

    @Test
    @Rule("DSP-11")
    @DisplayName("C2: a continuation of an acquire that closes its guard does not wait for itself")
    void fromContinuation() {
        store.acquires.shut(); // a stage that is done already would run its continuation here, outside
        CompletableFuture<Boolean> continued = guard.async()
                .acquire("k", LONG)
                .thenApply(lease -> {
                    guard.close();
                    return lease.release();
                })
                .toCompletableFuture();

        store.acquires.open();

        assertThat(continued).succeedsWithin(SOON).isEqualTo(true);
        assertClosedProperly("k");
    }

    @Test
    @Rule("DSP-11")
    @DisplayName(
            "C2: a continuation of a release, run where the reply arrives, closes its guard without a wait for itself")
    void fromContinuationOfRelease() {
        SyncGuard direct = SyncGuard.builder(store).executor(Runnable::run).build();
        Lease lease = direct.acquire("k", LONG);
        store.releases.shut();
        CompletableFuture<Void> continued =
                lease.releaseAsync().thenRun(direct::close).toCompletableFuture();
        await().until(() -> store.releases.waiting() == 1);

        store.releases.open();

        assertThat(continued).succeedsWithin(SOON);
        assertClosedProperly("k");
    }

    @Test
    @Rule("DSP-11")
    @DisplayName("C2: closing from inside while another thread closes waits for neither")
    void whileAnotherThreadCloses() {
        CountDownLatch inside = new CountDownLatch(1);
        CompletableFuture<Boolean> body = Blocked.start(() -> guard.call("k", LONG, lease -> {
            inside.countDown();
            await().until(() -> ShutdownTest.isRefused(guard));
            guard.close();
            return lease.isValid();
        }));
        CompensationTest.awaitUninterruptibly(inside);
        CompletableFuture<Boolean> closing = Blocked.start(() -> {
            guard.close();
            return closed.get();
        });

        assertThat(body).succeedsWithin(SOON).isEqualTo(true);
        assertThat(closing).succeedsWithin(SOON).isEqualTo(true);
        assertClosedProperly("k");
    }

    @Test
    @Rule("DSP-11")
    @DisplayName("C2: a guard that is closed inside a body of another guard is closed when close returns")
    void insideAnotherGuard() {
        try (SyncGuard other = SyncGuard.of(new GatedBackend())) {
            boolean closedInside = other.call("other", LONG, lease -> {
                guard.run("k", LONG, held -> {});
                guard.close();
                return closed.get();
            });

            assertThat(closedInside).isTrue();
            assertClosedProperly("k");
        }
    }

    @Test
    @Rule("DSP-11")
    @DisplayName("C2: a body that shuts its guard down does not wait for itself")
    void shutdownFromBody() {
        boolean waited = guard.call("k", LONG, lease -> guard.shutdown(Duration.ofMinutes(5)));

        assertThat(waited).isFalse();
        assertClosedProperly("k");
    }

    @Test
    @Rule("DSP-11")
    @DisplayName("C2: a second close, outside, waits for one that was called inside")
    void closedAgainOutside() {
        guard.run("k", LONG, lease -> guard.close());

        guard.close();

        assertThat(closed).isTrue();
        assertClosedProperly("k");
    }
}
