package dev.syncguard.firestore;

import static dev.syncguard.AbortSignal.none;
import static dev.syncguard.firestore.FirestoreProbe.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import dev.syncguard.LockId;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.Ttl;
import dev.syncguard.testbed.firestore.FirestoreServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each operation sends as many requests as a transaction of the official client, written by hand, with the same reads. */
class FirestoreRequestCountTest {

    private static final Ttl MINUTE = new Ttl(60_000);

    @AutoClose
    private static final TestServer STARTED = TestServer.start();

    private static final FirestoreServer SERVER = STARTED.server();
    private static final Firestore CLIENT = STARTED.client();

    private final FirestoreLockBackend backend =
            FirestoreLockBackend.builder(CLIENT).build();
    private final LockKey key = LockKey.of("count:" + LockIds.random().value());

    private static void counts(Runnable operation, Map<String, Integer> expected) {
        SERVER.clearCounts();
        operation.run();
        // The end of a transaction that wrote nothing is not waited for.
        await().untilAsserted(() -> assertThat(SERVER.counts()).isEqualTo(expected));
    }

    private LockId acquire() {
        LockId lockId = backend.newLockId(key);
        assertThat(backend.acquire(new AcquireRequest(key, lockId, MINUTE, false), none()))
                .isInstanceOf(Granted.class);
        return lockId;
    }

    @Test
    @DisplayName("acquire: 3, as by hand")
    void grant() {
        Map<String, Integer> expected = Map.of("BeginTransaction", 1, "BatchGetDocuments", 1, "Commit", 1);

        counts(this::acquire, expected);
        counts(() -> acquireByHand("by-hand"), expected);
    }

    @Test
    @DisplayName("a refused acquire: 3, as by hand, and nothing is written")
    void refusal() {
        acquire();
        DocumentReference lock = CLIENT.collection("locks").document(key.value());
        Object before = get(lock.get()).getUpdateTime();
        Map<String, Integer> expected = Map.of("BeginTransaction", 1, "BatchGetDocuments", 1, "Commit", 1);

        counts(
                () -> assertThat(
                                backend.acquire(new AcquireRequest(key, backend.newLockId(key), MINUTE, false), none()))
                        .isInstanceOf(Refused.class),
                expected);
        assertThat(get(lock.get()).getUpdateTime()).isEqualTo(before);
        acquireByHand("held-by-hand");
        counts(() -> acquireByHand("held-by-hand"), expected);
    }

    @Test
    @DisplayName("an acquire with a lock id from elsewhere: one more, to see whether it holds another key")
    void idFromElsewhere() {
        counts(
                () -> backend.acquire(new AcquireRequest(key, LockIds.random(), MINUTE, false), none()),
                Map.of("BeginTransaction", 1, "BatchGetDocuments", 1, "RunQuery", 1, "Commit", 1));
    }

    @Test
    @DisplayName("release and extend: 3, as by hand")
    void byLockId() {
        LockId lockId = acquire();
        Map<String, Integer> expected = Map.of("BeginTransaction", 1, "RunQuery", 1, "Commit", 1);

        counts(() -> backend.extend(lockId, MINUTE, none()), expected);
        counts(() -> backend.release(lockId, none()), expected);
        acquireByHand("released-by-hand");
        counts(() -> releaseByHand("released-by-hand"), expected);
    }

    @Test
    @DisplayName("isLocked and find: 1")
    void looks() {
        LockId lockId = acquire();

        counts(() -> backend.isLocked(key, none()), Map.of("BatchGetDocuments", 1));
        counts(() -> backend.findByKey(key, none()), Map.of("BatchGetDocuments", 1));
        counts(() -> backend.findById(lockId, none()), Map.of("RunQuery", 1));
    }

    /** What somebody would write who has no library. */
    private static boolean acquireByHand(String name) {
        DocumentReference lock = CLIENT.collection("hand").document(name);
        DocumentReference counter = CLIENT.collection("hand_counters").document(name);
        return get(CLIENT.runTransaction(transaction -> {
            List<DocumentSnapshot> read = transaction.getAll(lock, counter).get();
            if (read.get(0).exists()) {
                return false;
            }
            transaction.set(lock, Map.of("owner", name));
            transaction.set(counter, Map.of("count", 1));
            return true;
        }));
    }

    private static void releaseByHand(String name) {
        Query own = CLIENT.collection("hand").whereEqualTo("owner", name);
        get(CLIENT.runTransaction(transaction -> {
            for (QueryDocumentSnapshot found : transaction.get(own).get().getDocuments()) {
                transaction.delete(found.getReference());
            }
            return name;
        }));
    }
}
