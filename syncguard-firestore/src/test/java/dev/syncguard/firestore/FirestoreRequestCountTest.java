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
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockIds;
import dev.syncguard.testbed.firestore.FirestoreServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each operation sends fewer requests than a transaction of the official client, written by hand, with the same reads. */
class FirestoreRequestCountTest {

    private static final Ttl MINUTE = new Ttl(60_000);
    private static final Map<String, Integer> READ_IN_TRANSACTION =
            Map.of("BeginTransaction", 1, "BatchGetDocuments", 1, "Commit", 1);

    @AutoClose
    private static final TestServer STARTED = TestServer.start();

    private static final FirestoreServer SERVER = STARTED.server();
    private static final Firestore CLIENT = STARTED.client();

    private final FirestoreLockBackend backend =
            FirestoreLockBackend.builder(CLIENT).build();
    private final LockKey key = LockKey.of("count:" + LockIds.random().value());

    /** The check of the settings after the first acquire is not what is counted here. */
    @BeforeEach
    void passStartCheck() {
        SERVER.clearCounts();
        LockKey first = LockKey.of("first:" + LockIds.random().value());
        backend.acquire(new AcquireRequest(first, backend.newLockId(first), MINUTE, false), none());
        await().until(() -> SERVER.counts().containsKey("RunQuery"));
    }

    private static void counts(Runnable operation, Map<String, Integer> expected) {
        SERVER.clearCounts();
        operation.run();
        assertThat(SERVER.counts()).isEqualTo(expected);
    }

    private LockId acquire() {
        LockId lockId = backend.newLockId(key);
        assertThat(backend.acquire(new AcquireRequest(key, lockId, MINUTE, false), none()))
                .isInstanceOf(Granted.class);
        return lockId;
    }

    @Test
    @DisplayName("acquire: 2, by hand 3")
    void grant() {
        counts(this::acquire, Map.of("BatchGetDocuments", 1, "Commit", 1));
        counts(() -> acquireByHand("by-hand"), READ_IN_TRANSACTION);
    }

    @Test
    @DisplayName("a contended acquire: 1, by hand 3, and nothing is written")
    void refusal() {
        acquire();
        DocumentReference lock = CLIENT.collection("locks").document(key.value());
        Object before = get(lock.get()).getUpdateTime();

        counts(
                () -> assertThat(
                                backend.acquire(new AcquireRequest(key, backend.newLockId(key), MINUTE, false), none()))
                        .isInstanceOf(Refused.class),
                Map.of("BatchGetDocuments", 1));
        assertThat(get(lock.get()).getUpdateTime()).isEqualTo(before);
        acquireByHand("held-by-hand");
        counts(() -> acquireByHand("held-by-hand"), READ_IN_TRANSACTION);
    }

    @Test
    @DisplayName("an acquire with a lock id from elsewhere: one more, to see whether it holds another key")
    void idFromElsewhere() {
        counts(
                () -> backend.acquire(new AcquireRequest(key, LockIds.random(), MINUTE, false), none()),
                Map.of("BatchGetDocuments", 1, "RunQuery", 1, "Commit", 1));
    }

    @Test
    @DisplayName("release and extend: 2, by hand 3; a release that finds nothing: 1")
    void byLockId() {
        LockId lockId = acquire();
        Map<String, Integer> expected = Map.of("RunQuery", 1, "Commit", 1);

        counts(() -> backend.extend(lockId, MINUTE, none()), expected);
        counts(() -> backend.release(lockId, none()), expected);
        counts(() -> backend.release(lockId, none()), Map.of("RunQuery", 1));
        acquireByHand("released-by-hand");
        counts(() -> releaseByHand("released-by-hand"), Map.of("BeginTransaction", 1, "RunQuery", 1, "Commit", 1));
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
