package dev.syncguard.firestore;

import static dev.syncguard.AbortSignal.none;
import static dev.syncguard.firestore.FirestoreProbe.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

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
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.testbed.firestore.FirestoreReferenceClient;
import dev.syncguard.testbed.firestore.FirestoreReferenceClient.Lock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client as the specification's reference writes it, on the same documents. */
class FirestoreMixedFleetTest {

    private static final long MINUTE_MS = 60_000;
    private static final Ttl MINUTE = new Ttl(MINUTE_MS);

    private final Firestore client = TestServer.sharedClient();
    private final FirestoreProbe probe = new FirestoreProbe(client);
    private final FirestoreReferenceClient reference = new FirestoreReferenceClient(client);
    private final FirestoreLockBackend backend =
            FirestoreLockBackend.builder(client).mixedFleet().build();
    private final LockKey key = LockKey.of("mixed:" + UUID.randomUUID());

    @AfterEach
    void close() {
        backend.close();
    }

    private static AcquireOutcome acquire(FirestoreLockBackend backend, LockKey key) {
        return backend.acquire(new AcquireRequest(key, backend.newLockId(key), MINUTE, false), none());
    }

    private Granted grant() {
        return (Granted) acquire(backend, key);
    }

    private Lock grantToReference() {
        return reference.acquire(key.value(), MINUTE_MS).orElseThrow();
    }

    private static LockId id(Lock lock) {
        return LockId.parse(lock.lockId());
    }

    @Test
    @DisplayName("each respects the other's lock, and sees it")
    void exclusion() {
        Granted ours = grant();
        assertThat(reference.acquire(key.value(), MINUTE_MS)).isEmpty();
        assertThat(reference.isLocked(key.value())).isTrue();
        Lock seen = reference.find(key.value()).orElseThrow();
        assertThat(seen.lockId()).isEqualTo(ours.lockId().value());
        assertThat(seen.fence()).isEqualTo(ours.fence().toString());
        assertThat(reference.findById(ours.lockId().value())).contains(seen);
        backend.release(ours.lockId(), none());

        Lock theirs = grantToReference();
        assertThat(acquire(backend, key)).isInstanceOf(Refused.class);
        assertThat(backend.isLocked(key, none())).isTrue();
        assertThat(backend.findByKey(key, none())).hasValueSatisfying(stored -> {
            assertThat(stored.lockId()).isEqualTo(id(theirs));
            assertThat(stored.fence()).isEqualTo(Fence.parse(theirs.fence()));
            assertThat(stored.expiresAtMs()).isEqualTo(theirs.expiresAtMs());
        });
        assertThat(backend.findById(id(theirs), none())).isEqualTo(backend.findByKey(key, none()));
    }

    @Test
    @DisplayName("each releases and extends by the other's lock id")
    void byLockId() {
        Granted ours = grant();
        assertThat(reference.extend(ours.lockId().value(), 2 * MINUTE_MS)).isTrue();
        assertThat(probe.stored(key.value()).orElseThrow().expiresAtMs()).isGreaterThan(ours.expiresAtMs());
        assertThat(reference.release(ours.lockId().value())).isTrue();
        assertThat(backend.release(ours.lockId(), none())).isEqualTo(ReleaseOutcome.NOT_FOUND);

        Lock theirs = grantToReference();
        assertThat(backend.extend(id(theirs), new Ttl(2 * MINUTE_MS), none()))
                .isInstanceOfSatisfying(
                        Extended.class,
                        extended -> assertThat(reference
                                        .find(key.value())
                                        .orElseThrow()
                                        .expiresAtMs())
                                .isEqualTo(extended.expiresAtMs()));
        assertThat(backend.release(id(theirs), none())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(reference.release(theirs.lockId())).isFalse();
        assertThat(backend.extend(id(theirs), MINUTE, none())).isEqualTo(NotExtended.NOT_FOUND);
    }

    @Test
    @DisplayName("an expired lock of the one is granted to the other, with the next fence of one order")
    void oneOrderOfFences() {
        Granted first = grant();
        probe.expire(key.value());
        Lock second = grantToReference();
        probe.expire(key.value());
        Granted third = grant();

        assertThat(second.fence()).isEqualTo(new Fence(first.fence().value() + 1).toString());
        assertThat(third.fence()).isEqualTo(new Fence(first.fence().value() + 2));
        assertThat(reference.release(first.lockId().value())).isFalse();
        assertThat(backend.release(id(second), none())).isEqualTo(ReleaseOutcome.NOT_FOUND);
        assertThat(backend.isLocked(key, none())).isTrue();
    }

    @Test
    @DisplayName("fields that this library does not know are kept, in locks and counters")
    void extraFields() {
        Lock theirs = grantToReference();
        get(probe.lock(key.value()).update("tenant", Map.of("name", "acme", "tags", List.of())));

        backend.extend(id(theirs), MINUTE, none());
        assertThat(get(probe.lock(key.value()).get()).get("tenant"))
                .isEqualTo(Map.of("name", "acme", "tags", List.of()));
        probe.expire(key.value());
        grant();

        assertThat(get(probe.lock(key.value()).get()).get("tenant"))
                .isEqualTo(Map.of("name", "acme", "tags", List.of()));
        assertThat(get(probe.counter(key.value()).get()).getData())
                .containsOnly(Map.entry("keyDebug", key.value()), Map.entry("fence", new Fence(2).toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b/c/", "tenant/7/"})
    @DisplayName("a key that is a path is another document for the reference: mixedFleet refuses it everywhere")
    void paths(String path) {
        LockKey shared = LockKey.of(path + UUID.randomUUID());
        FirestoreLockBackend alone = FirestoreLockBackend.builder(client).build();
        assertThat(acquire(alone, shared)).isInstanceOf(Granted.class);
        if (shared.value().chars().filter(c -> c == '/').count() % 2 == 0) {
            assertThat(reference.acquire(shared.value(), MINUTE_MS))
                    .as("what mixedFleet prevents: both hold it")
                    .isPresent();
        }

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> acquire(backend, shared),
                () -> backend.isLocked(shared, none()),
                () -> backend.findByKey(shared, none()),
                () -> backend.raiseFence(shared, new Fence(5), none()))) {
            LockException refused = catchThrowableOfType(LockException.class, call);
            assertThat(refused).as("the failure").isNotNull();
            assertThat(refused.code()).isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(refused).hasMessageContaining("mixedFleet").hasMessageNotContaining(shared.value());
        }
    }
}
