package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.spi.StoredLock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** LCK: whether a key is locked. */
abstract class IsLockedRules extends Rules {

    IsLockedRules(LockBackendTck kit, Form form) {
        super(kit, form);
    }

    @Test
    @Rule("LCK-1")
    @DisplayName("a free key is not locked")
    void free() {
        assertThat(backend.isLocked(key, NONE)).isFalse();
    }

    @Test
    @Rule("LCK-1")
    @DisplayName("a held key is locked, here and in another process")
    void held() {
        grant(key);

        assertThat(backend.isLocked(key, NONE)).isTrue();
        assertThat(kit.other().isLocked(key, NONE)).isTrue();
    }

    @Test
    @Rule("LCK-1")
    @DisplayName("a key whose lock ended longer ago than the tolerance is not locked")
    void ended() {
        grant(key);
        expire(key);

        assertThat(backend.isLocked(key, NONE)).isFalse();
    }

    @Test
    @Rule("LCK-1")
    @DisplayName("a key whose lock is in its grey zone and still in the store is locked")
    void inGreyZone() {
        InGreyZone<Boolean> question = inGreyZone((fresh, holder) -> backend.isLocked(fresh, NONE));

        assertThat(question.outcome()).isTrue();
    }

    @Test
    @Rule("LCK-2")
    @DisplayName("asking changes neither a lock nor a counter, and makes none")
    void changesNothing() {
        grant(key);
        StoredLock before = stored(key);
        long counter = counter(key);

        backend.isLocked(key, NONE);

        assertThat(stored(key)).isEqualTo(before);
        assertThat(counter(key)).isEqualTo(counter);
    }
}
