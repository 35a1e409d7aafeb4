package dev.syncguard.firestore;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import dev.syncguard.LockKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FirestoreInterruptTest {

    /** Without the protection the client swallowed about one flag of a thousand. */
    @Test
    @DisplayName("hundreds of look-ups of an interrupted thread keep the flag")
    void manyTimes() {
        FirestoreLockBackend backend =
                FirestoreLockBackend.builder(TestServer.sharedClient()).build();
        int lost = 0;
        for (int i = 0; i < 300; i++) {
            Thread.currentThread().interrupt();
            backend.isLocked(LockKey.of("interrupted"), none());
            lost += Thread.interrupted() ? 0 : 1;
        }

        assertThat(lost).isZero();
    }

    private final Firestore client = TestServer.sharedClient();
    private final FirestoreCalls calls = new FirestoreCalls(
            client, new FirestoreClock(InstantSource.system(), FirestoreClock.WIDEST_LIMIT), Duration.ofSeconds(10));

    /** What the client makes of an interrupt while it sends: the flag is gone, and the request has failed. */
    private <T> Supplier<ApiFuture<T>> interruptedOnce(Supplier<ApiFuture<T>> request) {
        AtomicBoolean first = new AtomicBoolean(true);
        return () -> first.getAndSet(false)
                ? ApiFutures.immediateFailedFuture(new ExecutionException(new InterruptedException()))
                : request.get();
    }

    @Test
    @DisplayName("a step whose request was interrupted while it was sent goes on, and the thread keeps the flag")
    void stepGoesOn() {
        Supplier<ApiFuture<Reading>> reading = interruptedOnce(
                () -> Reading.documents(client.collection("interrupted").document("step")));
        Step<String> step = new Step<>() {
            @Override
            public ApiFuture<Reading> read() {
                return reading.get();
            }

            @Override
            public String decide(Reading read, Moment moment, ConditionalWrites writes) {
                return writes.isAfterConflict() ? "after a conflict" : "decided";
            }
        };

        assertThat(calls.atomically(step, none()).join()).isEqualTo("decided");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    @DisplayName("so does a request that only reads")
    void requestGoesOn() {
        Supplier<ApiFuture<DocumentSnapshot>> request = interruptedOnce(
                () -> client.collection("interrupted").document("read").get());

        assertThat(calls.request(request, none()).join().exists()).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}
