package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

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
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ACQ: getting a lock. */
abstract class AcquireRules extends Rules {

    AcquireRules(LockBackendTck kit, Form form) {
        super(kit, form);
    }

    @Test
    @Rule("ACQ-1")
    @DisplayName("a free key is granted, and owner and key stand in the store")
    void grantsFreeKey() {
        LockId lockId = newId(key);

        Granted granted = grant(key, lockId, MINUTE);

        assertThat(granted.lockId()).isEqualTo(lockId);
        assertThat(stored(key).lockId()).isEqualTo(lockId);
        assertThat(stored(key).key()).isEqualTo(key.value());
    }

    @Test
    @Rule("ACQ-2")
    @DisplayName("a held key is refused to another lock id, here and in another process")
    void refusesHeldKey() {
        grant(key);

        AcquireOutcome here = contend(key);
        AcquireOutcome there = kit.other().acquire(new AcquireRequest(key, newId(key), MINUTE, false), NONE);

        assertThat(here).isInstanceOf(Refused.class);
        assertThat(there).isInstanceOf(Refused.class);
    }

    @Test
    @Rule("ACQ-2")
    @DisplayName("a lock in its grey zone that the store still has is refused to another lock id")
    void refusesInGreyZone() {
        InGreyZone<AcquireOutcome> contender = inGreyZone((fresh, holder) -> contend(fresh));

        assertThat(contender.outcome()).isInstanceOf(Refused.class);
    }

    @Test
    @Rule("ACQ-3")
    @DisplayName("a repeated acquire gets its own grant again")
    void repeats() {
        LockId lockId = newId(key);
        grant(key, lockId, MINUTE);
        StoredLock held = stored(key);

        AcquireOutcome again = acquire(key, lockId, MINUTE);

        assertThat(again).isInstanceOfSatisfying(Granted.class, granted -> {
            assertThat(granted.lockId()).isEqualTo(lockId);
            assertThat(granted.fence()).isEqualTo(held.fence());
            assertThat(granted.expiresAtMs()).isEqualTo(held.expiresAtMs());
        });
    }

    @Test
    @Rule("ACQ-3")
    @DisplayName("a repeated acquire is told the time that remains in the store, not the ttl it asks for")
    void repeatsWithRemainingTime() {
        LockId lockId = newId(key);
        grant(key, lockId, MINUTE);
        StoredLock before = stored(key);
        long earliest = store.nowMs();

        AcquireOutcome again = acquire(key, lockId, HOUR);

        assertThat(again)
                .isInstanceOfSatisfying(
                        Granted.class,
                        granted -> assertThat(granted.remainingMs())
                                .isBetween(before.expiresAtMs() - store.nowMs(), before.expiresAtMs() - earliest));
        assertThat(stored(key)).isEqualTo(before);
    }

    @Test
    @Rule("ACQ-4")
    @DisplayName("a lock id that holds another key is refused as an error, and nothing is written")
    void refusesSecondKey() {
        LockKey second = newKey();
        LockId lockId = grant(key).lockId();
        StoredLock before = stored(key);

        LockException failure = catchThrowableOfType(LockException.class, () -> acquire(second, lockId, MINUTE));

        assertThat(failure).as("the failure").isNotNull();
        assertThat(failure.code()).isEqualTo(Code.INTERNAL);
        assertThat(store.stored(second.value())).isEmpty();
        assertThat(counter(second)).isZero();
        assertThat(stored(key)).isEqualTo(before);
    }

    @ParameterizedTest(name = "ttl {0} ms")
    @ValueSource(longs = {1, 30_000, 31_536_000_000L})
    @Rule("ACQ-5")
    @DisplayName("a grant ends one ttl from now, by the backend's own clock")
    void endsByOwnClock(long ttlMs) {
        long earliest = store.nowMs();

        Granted granted = grant(key, newId(key), new Ttl(ttlMs));

        assertThat(granted.expiresAtMs()).isBetween(earliest + ttlMs, store.nowMs() + ttlMs);
        assertThat(granted.remainingMs()).isBetween(ttlMs - (store.nowMs() - earliest), ttlMs);
    }

    @Test
    @Rule("ACQ-5")
    @DisplayName("the times of a grant are those that are stored")
    void storesTimes() {
        long earliest = store.nowMs();

        Granted granted = grant(key);

        assertThat(stored(key).expiresAtMs()).isEqualTo(granted.expiresAtMs());
        assertThat(stored(key).acquiredAtMs()).isBetween(earliest, store.nowMs());
    }

    @Test
    @Rule("ACQ-6")
    @DisplayName("a lock that ended longer ago than the tolerance gives way to the next one")
    void grantsAfterEnd() {
        grant(key);
        expire(key);

        Granted next = grant(key);

        assertThat(stored(key).lockId()).isEqualTo(next.lockId());
    }

    @Test
    @Rule("ACQ-7")
    @DisplayName("a refusal tells how long until the lock can be granted")
    void tellsWhenGrantable() {
        grant(key);
        long expiresAtMs = stored(key).expiresAtMs();
        long earliest = store.nowMs();

        AcquireOutcome refusal = contend(key);

        // A store that drops a lock at its end can grant it then, others after the tolerance.
        assertThat(refusal)
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.grantableInMs())
                                .isBetween(
                                        expiresAtMs - store.nowMs(),
                                        expiresAtMs + Liveness.TIME_TOLERANCE_MS - earliest));
    }

    @Test
    @Rule("ACQ-8")
    @DisplayName("lock ids are distinct, and every position of them is random")
    void drawsRandomIds() {
        List<String> ids = Stream.generate(() -> newId(key).value()).limit(2000).toList();

        assertThat(ids).doesNotHaveDuplicates();
        for (int position = 0; position < 21; position++) {
            Set<Character> seen = new HashSet<>();
            for (String id : ids) {
                seen.add(id.charAt(position));
            }
            assertThat(seen).as("characters at position %d", position).hasSizeGreaterThan(32);
        }
    }

    @Test
    @Rule("ACQ-11")
    @DisplayName("no lock id looks like an option of a command")
    void drawsNoOptions() {
        assertThat(Stream.generate(() -> newId(key).value()).limit(2000))
                .as("ids that begin with -")
                .noneMatch(id -> id.startsWith("-"));
    }

    @Test
    @Rule("ACQ-12")
    @DisplayName("a lock id of another client that begins with - works with every operation")
    void acceptsOtherClientsIds() {
        LockId lockId = kit.lockIdOfOtherClient(key);

        grant(key, lockId, MINUTE);

        assertThat(backend.findById(lockId, NONE)).map(StoredLock::lockId).contains(lockId);
        assertThat(backend.extend(lockId, HOUR, NONE)).isInstanceOf(Extended.class);
        assertThat(backend.release(lockId, NONE)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(backend.isLocked(key, NONE)).isFalse();
    }

    @Test
    @Rule("ACQ-9")
    @DisplayName("a refused acquire changes neither the lock nor the counter")
    void refusalWritesNothing() {
        grant(key);
        StoredLock before = stored(key);
        long counter = counter(key);

        contend(key);

        assertThat(stored(key)).isEqualTo(before);
        assertThat(counter(key)).isEqualTo(counter);
    }

    @Test
    @Rule("ACQ-10")
    @DisplayName("a repeated acquire is not confirmed once its lock has ended")
    void doesNotConfirmEndedLock() {
        InGreyZone<AcquireOutcome> again = inGreyZone((fresh, own) -> acquire(fresh, own, MINUTE));

        if (again.outcome() instanceof Granted granted) {
            assertThat(granted.fence()).isGreaterThan(again.ended().fence());
        }
    }
}
