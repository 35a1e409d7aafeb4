package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockId;
import dev.syncguard.spi.StoredLock;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** LKP: finding a lock by its key or its lock id. */
abstract class LookupRules extends Rules {

    LookupRules(LockBackendTck kit, Form form) {
        super(kit, form);
    }

    @Test
    @Rule("LKP-1")
    @DisplayName("the lock of a key is found as it stands in the store")
    void findsByKey() {
        grant(key);
        StoredLock held = stored(key);

        assertThat(backend.findByKey(key, NONE)).contains(held);
    }

    @Test
    @Rule("LKP-1")
    @DisplayName("the lock of a key is found in another process")
    void findsByKeyElsewhere() {
        grant(key);
        StoredLock held = stored(key);

        assertThat(kit.other().findByKey(key, NONE)).contains(held);
    }

    @Test
    @Rule("LKP-1")
    @DisplayName("a lock in its grey zone that the store still has is found")
    void findsInGreyZone() {
        InGreyZone<Optional<StoredLock>> found = inGreyZone((fresh, own) -> backend.findByKey(fresh, NONE));

        assertThat(found.outcome()).contains(found.ended());
    }

    @Test
    @Rule("LKP-2")
    @DisplayName("a stale lock id does not find the next owner's lock")
    void staleId() {
        LockId stale = grant(key).lockId();
        expire(key);
        grant(key);

        assertThat(backend.findById(stale, NONE)).isEmpty();
    }

    @Test
    @Rule("LKP-3")
    @DisplayName("looking changes neither a lock nor a counter")
    void changesNothing() {
        LockId lockId = grant(key).lockId();
        StoredLock before = stored(key);
        long counter = counter(key);

        backend.findByKey(key, NONE);
        backend.findById(lockId, NONE);

        assertThat(stored(key)).isEqualTo(before);
        assertThat(counter(key)).isEqualTo(counter);
    }

    @Test
    @Rule("LKP-4")
    @DisplayName("what never was and what ended longer ago than the tolerance is not found")
    void nothingToFind() {
        assertThat(backend.findByKey(key, NONE)).isEmpty();
        assertThat(backend.findById(newId(key), NONE)).isEmpty();

        LockId lockId = grant(key).lockId();
        expire(key);

        assertThat(backend.findByKey(key, NONE)).isEmpty();
        assertThat(backend.findById(lockId, NONE)).isEmpty();
    }

    @Test
    @Rule("LKP-5")
    @DisplayName("a lock id finds the same lock as its key")
    void findsById() {
        LockId lockId = grant(key).lockId();

        assertThat(backend.findById(lockId, NONE)).contains(stored(key));
        assertThat(kit.other().findById(lockId, NONE)).contains(stored(key));
    }
}
