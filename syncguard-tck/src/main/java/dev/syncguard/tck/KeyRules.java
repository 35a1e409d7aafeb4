package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** KEY: whatever is a valid key works, and only equal keys share a lock. */
abstract class KeyRules extends Rules {

    KeyRules(LockBackendTck kit, Form form) {
        super(kit, form);
    }

    @ParameterizedTest
    @EnumSource(HostilePairs.class)
    @Rule("KEY-1")
    @DisplayName("two keys that only look alike have two locks and two counters")
    void tellsApart(HostilePairs pair) {
        String token = token();
        LockKey one = LockKey.of(pair.one(token));
        LockKey two = LockKey.of(pair.two(token));

        LockId first = grant(one).lockId();
        assertThat(counter(two)).isZero();
        LockId second = grant(two).lockId();

        assertThat(stored(one).lockId()).isEqualTo(first);
        assertThat(stored(two).lockId()).isEqualTo(second);
    }

    @Test
    @Rule("KEY-2")
    @DisplayName("two spellings with the same normal form are one key")
    void normalises() {
        String token = token();
        LockKey composed = LockKey.of(token + "-caf\u00e9-\u1e69");
        LockKey decomposed = LockKey.of(token + "-cafe\u0301-s\u0307\u0323");
        grant(composed);

        assertThat(contend(decomposed)).isInstanceOf(Refused.class);
        assertThat(backend.findByKey(decomposed, NONE)).map(StoredLock::key).contains(composed.value());
    }

    @ParameterizedTest
    @EnumSource(HostileKeys.class)
    @Rule("KEY-3")
    @DisplayName("a key of any characters can be locked, found, extended and released")
    void worksWithAnyCharacters(HostileKeys shape) {
        LockKey hostile = LockKey.of(shape.key(token()));
        LockId lockId = grant(hostile).lockId();
        try {
            assertThat(stored(hostile).key()).isEqualTo(hostile.value());
            assertThat(backend.isLocked(hostile, NONE)).isTrue();
            assertThat(backend.findByKey(hostile, NONE)).map(StoredLock::key).contains(hostile.value());
            assertThat(backend.findById(lockId, NONE)).map(StoredLock::key).contains(hostile.value());
            assertThat(backend.extend(lockId, MINUTE, NONE)).isInstanceOf(Extended.class);
        } finally {
            assertThat(backend.release(lockId, NONE)).isEqualTo(ReleaseOutcome.RELEASED);
        }
        assertThat(backend.isLocked(hostile, NONE)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(LongKeys.class)
    @Rule("KEY-4")
    @DisplayName("a key of exactly 512 bytes can be locked, and its last character counts")
    void longestKeys(LongKeys shape) {
        String token = token();
        LockKey longest = LockKey.of(shape.key(token, "a"));
        LockKey twin = LockKey.of(shape.key(token, "b"));

        LockId lockId = grant(longest).lockId();

        assertThat(backend.findById(lockId, NONE)).map(StoredLock::key).contains(longest.value());
        assertThat(backend.isLocked(twin, NONE)).isFalse();
        assertThat(grant(twin).lockId()).isEqualTo(stored(twin).lockId());
        assertThat(backend.release(lockId, NONE)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(stored(twin)).isNotNull();
    }
}
