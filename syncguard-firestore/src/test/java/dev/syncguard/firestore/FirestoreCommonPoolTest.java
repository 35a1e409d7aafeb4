package dev.syncguard.firestore;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Without effect on a machine with up to two processors, where the JDK itself does without that pool. */
@Isolated("it blocks the JVM's common pool")
class FirestoreCommonPoolTest {

    private static final LockKey KEY = LockKey.of("k");

    @Test
    @DisplayName("a conflict is repeated although the application has blocked the JVM's common pool")
    void conflictBesideBlockedPool() {
        CountDownLatch done = new CountDownLatch(1);
        try (TestServer here = TestServer.start();
                FirestoreLockBackend backend = FirestoreLockBackend.builder(here.client())
                        .commandTimeout(Duration.ofSeconds(10)) // for a busy machine
                        .build()) {
            for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism(); i++) {
                ForkJoinPool.commonPool().execute(() -> awaitUnchecked(done));
            }
            here.server().fail("Commit", Status.Code.ABORTED, 1);

            assertThat(backend.acquire(new AcquireRequest(KEY, backend.newLockId(KEY), new Ttl(60_000), false), none()))
                    .isInstanceOf(Granted.class);
        } finally {
            done.countDown();
        }
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
