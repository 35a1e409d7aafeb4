package dev.syncguard.firestore;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
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
import dev.syncguard.spi.ReleaseOutcome;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two clients whose clocks differ from the server's: A11. */
class FirestoreClockSkewTest {

    private static final Ttl SHORT = new Ttl(3000);

    private final Firestore client = TestServer.sharedClient();
    private final LockKey key = newKey();

    private static LockKey newKey() {
        return LockKey.of("skew:" + UUID.randomUUID());
    }

    private FirestoreLockBackend offBy(long millis) {
        Clock clock = Clock.offset(Clock.systemUTC(), Duration.ofMillis(millis));
        return FirestoreLockBackend.builder(client).clock(clock).build();
    }

    private AcquireOutcome acquire(FirestoreLockBackend backend) {
        return acquire(backend, key);
    }

    private static AcquireOutcome acquire(FirestoreLockBackend backend, LockKey key) {
        return backend.acquire(new AcquireRequest(key, backend.newLockId(key), SHORT, false), none());
    }

    @ParameterizedTest(name = "the owner {0} ms, the contender opposite")
    @ValueSource(longs = {-300, 300})
    @DisplayName("two clocks 300 ms off in opposite directions: nobody takes a lock that its owner still trusts")
    void within(long millis) {
        FirestoreLockBackend owner = offBy(millis);
        FirestoreLockBackend contender = offBy(-millis);
        long dispatched = System.nanoTime();
        Granted granted = (Granted) acquire(owner);

        assertThat(owner.extend(granted.lockId(), SHORT, none())).isInstanceOf(Extended.class);
        while (acquire(contender) instanceof Refused) {
            Thread.onSpinWait();
        }

        assertThat(Duration.ofNanos(System.nanoTime() - dispatched)).isGreaterThan(Duration.ofMillis(SHORT.millis()));
    }

    @ParameterizedTest
    @ValueSource(longs = {-600, 600})
    @DisplayName("a clock 600 ms off is refused, before anything is written, and told how far it is off")
    void beyond(long millis) {
        FirestoreLockBackend off = offBy(millis);
        FirestoreProbe probe = new FirestoreProbe(client);

        whenAnswersAreQuick(() -> {
            LockKey fresh = newKey();
            LockException failure = catchThrowableOfType(LockException.class, () -> acquire(off, fresh));

            assertThat(failure).as("the failure").isNotNull();
            assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
            assertThat(failure.outcomeUnknown()).isFalse();
            assertThat(failure).hasMessageMatching(".* [5-6]\\d\\d ms or more (ahead of|behind) Firestore's.*");
            assertThat(probe.stored(fresh.value())).isEmpty();
            assertThat(probe.fenceCounter(fresh.value())).isZero();
        });
        whenAnswersAreQuick(() -> assertThat(finding(off)).isEqualTo(Level.DANGER));
    }

    @ParameterizedTest
    @ValueSource(longs = {-3_600_000, -6000, 6000, 3_600_000})
    @DisplayName(
            "a clock that went wrong while a lock was held: no extension, no look-up, but the lock can be given back")
    void givesBack(long millis) {
        FirestoreLockBackend owner = offBy(0);
        LockId lockId = owner.newLockId(key);
        owner.acquire(new AcquireRequest(key, lockId, new Ttl(60_000), false), none());
        FirestoreLockBackend off = offBy(millis);

        for (Runnable refused : new Runnable[] {
            () -> off.extend(lockId, SHORT, none()), () -> off.isLocked(key, none()), () -> off.findById(lockId, none())
        }) {
            assertThat(catchThrowableOfType(LockException.class, refused::run).code())
                    .isEqualTo(Code.SERVICE_UNAVAILABLE);
        }
        assertThat(off.release(lockId, none())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @ParameterizedTest
    @ValueSource(longs = {-300, 300})
    @DisplayName("a clock 300 ms off is worth a warning")
    void warned(long millis) {
        whenAnswersAreQuick(() -> assertThat(finding(offBy(millis))).isEqualTo(Level.WARN));
        assertThat(finding(offBy(0))).isEqualTo(Level.OK);
    }

    /** The time under way counts in favour of the clock, so on a busy machine the first answers may prove nothing. */
    private static void whenAnswersAreQuick(ThrowingRunnable assertion) {
        await().atMost(Duration.ofMinutes(1)).untilAsserted(assertion);
    }

    private static Level finding(FirestoreLockBackend backend) {
        return backend.diagnostics().orElseThrow().inspect(none()).stream()
                .filter(finding -> finding.id().equals("firestore.clock"))
                .map(Finding::level)
                .findFirst()
                .orElseThrow();
    }
}
