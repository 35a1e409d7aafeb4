package dev.syncguard.firestore;

import static dev.syncguard.AbortSignal.none;
import static dev.syncguard.firestore.FirestoreProbe.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StorageKeys;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is special about Firestore: ids, duplicates, foreign documents. */
class FirestoreLockBackendTest {

    private static final Ttl MINUTE = new Ttl(60_000);

    private final Firestore client = TestServer.sharedClient();
    private final FirestoreProbe probe = new FirestoreProbe(client);
    private final FirestoreLockBackend backend =
            FirestoreLockBackend.builder(client).build();
    private final LockKey key = newKey();

    @AfterEach
    void close() {
        backend.close();
    }

    private static LockKey newKey() {
        return LockKey.of("test:" + UUID.randomUUID());
    }

    private AcquireOutcome acquire(LockKey key, LockId lockId) {
        return backend.acquire(new AcquireRequest(key, lockId, MINUTE, false), none());
    }

    private Granted grant(LockKey key) {
        return (Granted) acquire(key, backend.newLockId(key));
    }

    /** A second document with the same lock id, as no client of ours would write it. */
    private DocumentReference duplicate(LockId lockId, long expiresAtMs) {
        LockKey other = newKey();
        DocumentReference document = probe.lock(other.value());
        get(document.set(Map.of(
                "lockId", lockId.value(),
                "expiresAtMs", expiresAtMs,
                "acquiredAtMs", 1L,
                "key", other.value(),
                "fence", new Fence(7).toString())));
        return document;
    }

    private static boolean exists(DocumentReference document) {
        return get(document.get()).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a/b/c", ".", "..", "__x__", "/", "//", "__/__"})
    @DisplayName("a key that is illegal as a document id is locked like any other")
    void illegalIds(String illegal) {
        LockKey key = LockKey.of(illegal);
        Granted granted = grant(key);

        assertThat(acquire(key, backend.newLockId(key))).isInstanceOf(Refused.class);
        assertThat(probe.stored(illegal))
                .hasValueSatisfying(stored -> assertThat(stored.key()).isEqualTo(illegal));
        assertThat(probe.fenceCounter(illegal)).isEqualTo(granted.fence().value());
        assertThat(backend.release(granted.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("two live locks with one id: release, extend and find fail and change nothing")
    void liveDuplicates() {
        LockId lockId = grant(key).lockId();
        DocumentReference other = duplicate(lockId, System.currentTimeMillis() + 60_000);
        Warnings warnings = Warnings.capture();

        for (Runnable operation : new Runnable[] {
            () -> backend.release(lockId, none()),
            () -> backend.extend(lockId, MINUTE, none()),
            () -> backend.findById(lockId, none())
        }) {
            LockException failure = catchThrowableOfType(LockException.class, operation::run);
            assertThat(failure.code()).isEqualTo(Code.INTERNAL);
            assertThat(failure.outcomeUnknown()).isFalse();
            assertThat(failure).hasMessageNotContaining(lockId.value());
        }
        assertThat(exists(other)).isTrue();
        assertThat(probe.stored(key.value())).isPresent();
        assertThat(warnings.containing("2 locks in Firestore have the same lock id, 2 of them live"))
                .hasSize(3);
        assertThat(warnings.containing(lockId.value())).isEmpty();
        assertThat(warnings.containing(key.value())).isEmpty();
        warnings.close();
    }

    @Test
    @DisplayName(
            "a duplicate that has ended does not keep a lock from being extended, found and released, and goes with it")
    void endedDuplicate() {
        LockId lockId = grant(key).lockId();
        DocumentReference other = duplicate(lockId, 1);

        assertThat(backend.extend(lockId, MINUTE, none())).isNotInstanceOf(NotExtended.class);
        assertThat(backend.findById(lockId, none())).isPresent();
        assertThat(backend.release(lockId, none())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(exists(other)).isFalse();
        assertThat(probe.stored(key.value())).isEmpty();
    }

    @Test
    @DisplayName("a lock id from elsewhere that holds another key is refused")
    void foreignId() {
        LockId elsewhere = LockIds.random();
        duplicate(elsewhere, System.currentTimeMillis() + 60_000);

        LockException failure = catchThrowableOfType(LockException.class, () -> acquire(key, elsewhere));

        assertThat(failure.code()).isEqualTo(Code.INTERNAL);
        assertThat(probe.stored(key.value())).isEmpty();
        assertThat(probe.fenceCounter(key.value())).isZero();
    }

    @Test
    @DisplayName("a foreign document where the lock should be is reported and left as it is")
    void foreignDocument() {
        Map<String, Object> foreign = Map.of("lockId", 5L, "owner", "somebody");
        get(probe.lock(key.value()).set(foreign));

        for (Runnable operation : new Runnable[] {
            () -> grant(key), () -> backend.isLocked(key, none()), () -> backend.findByKey(key, none())
        }) {
            assertThat(catchThrowableOfType(LockException.class, operation::run).code())
                    .isEqualTo(Code.INTERNAL);
        }
        assertThat(get(probe.lock(key.value()).get()).getData()).isEqualTo(foreign);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "0000000000000005", "00000000000000x", "", "-00000000000001", "1000000000000000"})
    @DisplayName("a counter that is not 15 digits fails closed")
    void damagedCounter(String damaged) {
        get(probe.counter(key.value()).set(Map.of("fence", damaged)));

        assertThat(catchThrowableOfType(LockException.class, () -> grant(key)).code())
                .isEqualTo(Code.INTERNAL);

        assertThat(probe.stored(key.value())).isEmpty();
        assertThat(get(probe.counter(key.value()).get()).getString("fence")).isEqualTo(damaged);
    }

    @Test
    @DisplayName("a grant leaves other fields of the counter alone")
    void keepsOtherFields() {
        get(probe.counter(key.value()).set(Map.of("fence", new Fence(41).toString(), "keyDebug", "kept")));

        assertThat(grant(key).fence()).isEqualTo(new Fence(42));

        assertThat(get(probe.counter(key.value()).get()).getData())
                .isEqualTo(Map.of("fence", new Fence(42).toString(), "keyDebug", "kept"));
    }

    @Test
    @DisplayName("times that another client stored as doubles are read")
    void doubles() {
        LockId lockId = grant(key).lockId();
        get(probe.lock(key.value()).update("expiresAtMs", (double) (System.currentTimeMillis() + 60_000)));

        assertThat(backend.isLocked(key, none())).isTrue();
        assertThat(backend.release(lockId, none())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("the cleanup deletes what ended long ago, never a live lock, never a counter")
    void cleanup() {
        LockKey live = newKey();
        grant(key);
        grant(live);
        probe.expire(key.value());
        FirestoreLockBackend cleaning =
                FirestoreLockBackend.builder(client).cleanupInIsLocked(true).build();

        assertThat(backend.isLocked(key, none())).isFalse();
        assertThat(probe.stored(key.value())).isPresent();
        assertThat(cleaning.isLocked(live, none())).isTrue();
        assertThat(cleaning.isLocked(key, none())).isFalse();

        await().until(() -> probe.stored(key.value()).isEmpty());
        assertThat(probe.stored(live.value())).isPresent();
        assertThat(probe.fenceCounter(key.value())).isPositive();
    }

    @Test
    @DisplayName("the client of the application stays open")
    void leavesClientOpen() {
        backend.close();
        backend.close();

        assertThat(probe.stored(key.value())).isEmpty();
    }

    @Test
    @DisplayName("a key whose document holds the lock of another key is an error, and nothing is written (K9)")
    void collision() {
        LockKey path = LockKey.of("path/" + UUID.randomUUID());
        LockKey literal = LockKey.of(StorageKeys.hash(path.value()));
        Granted granted = grant(path);
        long counter = probe.fenceCounter(path.value());

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> grant(literal),
                () -> backend.isLocked(literal, none()),
                () -> backend.findByKey(literal, none()))) {
            LockException failure = catchThrowableOfType(LockException.class, call);
            assertThat(failure).as("the failure").isNotNull();
            assertThat(failure.code()).isEqualTo(Code.INTERNAL);
            assertThat(failure).hasMessageContaining("another key").hasMessageNotContaining(literal.value());
        }

        assertThat(probe.stored(path.value()).orElseThrow().lockId()).isEqualTo(granted.lockId());
        assertThat(probe.fenceCounter(path.value())).isEqualTo(counter);
        assertThat(backend.release(granted.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(backend.isLocked(literal, none())).isFalse();
    }

    @Test
    @DisplayName("a key whose document holds an ended lock of another key is an error, and it is not cleaned up (K9)")
    void endedCollision() {
        LockKey path = LockKey.of("path/" + UUID.randomUUID());
        LockKey literal = LockKey.of(StorageKeys.hash(path.value()));
        grant(path);
        probe.expire(path.value());
        try (FirestoreLockBackend cleaning =
                FirestoreLockBackend.builder(client).cleanupInIsLocked(true).build()) {
            LockException failure = catchThrowableOfType(LockException.class, () -> cleaning.isLocked(literal, none()));

            assertThat(failure).as("the failure").isNotNull();
            assertThat(failure.code()).isEqualTo(Code.INTERNAL);
        }
        assertThat(catchThrowableOfType(LockException.class, () -> grant(literal)))
                .as("the failure")
                .isNotNull();
        assertThat(probe.stored(path.value())).isPresent();
    }
}
