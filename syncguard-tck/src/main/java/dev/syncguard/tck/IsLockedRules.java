package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockKey;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.StoredLock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** LCK: whether a key is locked. */
abstract class IsLockedRules extends Rules {

    /** A lock that ended less than this ago is never cleaned up. */
    private static final Duration NOT_BEFORE = Duration.ofSeconds(2);

    private static final Duration JUST_TOO_RECENT = Duration.ofMillis(1200);

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

    @Test
    @Rule("LCK-3")
    @DisplayName("the cleanup removes what expired long ago, but no lock that may still be extended, and no counter")
    void cleansUp() {
        for (int i = 0; i < 10; i++) {
            if (isCleanUpSeen(newKey(), newKey(), newKey())) {
                return;
            }
        }
        Assumptions.abort("this machine is too slow to look at a lock that ended less than two seconds ago");
    }

    /** Returns whether it was fast enough to see a cleanup while the recent lock was recent. */
    private boolean isCleanUpSeen(LockKey old, LockKey recent, LockKey live) {
        try (LockBackend cleaning = kit.createCleaningBackend()) {
            List.of(old, recent, live).forEach(this::grant);
            expire(old);
            store.expireAgo(recent.value(), JUST_TOO_RECENT);
            StoredLock kept = stored(recent);

            List.of(live, recent, old).forEach(asked -> inForm(cleaning).isLocked(asked, NONE));
            await("the old lock is gone", () -> store.stored(old.value()).isEmpty());

            if (store.nowMs() > kept.expiresAtMs() + NOT_BEFORE.toMillis()) {
                return false;
            }
            assertThat(store.stored(recent.value())).as("a recent lock").contains(kept);
            assertThat(store.stored(live.value())).as("a live lock").isPresent();
            assertThat(List.of(old, recent, live))
                    .as("counters")
                    .allSatisfy(of -> assertThat(counter(of)).isPositive());
            return true;
        }
    }
}
