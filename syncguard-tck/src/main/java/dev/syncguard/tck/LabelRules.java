package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.LockListing.Page;
import dev.syncguard.spi.StoredLock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** LBL: who holds a lock. */
abstract class LabelRules extends Rules {

    private static final String LABEL = "host-7:4711:deploy";

    LabelRules(LockBackendTck kit, Form form) {
        super(kit, form);
    }

    @BeforeEach
    void onlyWhereKept() {
        Assumptions.assumeTrue(backend.capabilities().labels(), "this backend keeps no labels");
    }

    private LockId grant(LockKey of, @Nullable String label) {
        LockId lockId = newId(of);
        assertThat(backend.acquire(new AcquireRequest(of, lockId, MINUTE, false, label), NONE))
                .isInstanceOf(Granted.class);
        return lockId;
    }

    private @Nullable String labelOf(LockKey of) {
        return backend.findByKey(of, NONE).orElseThrow().label();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                LABEL,
                "\"quoted\", back\\slash, 'single', {\"label\":\"x\"}, }",
                "Müller 漢字 \uD83D\uDE00 e\u0301 %s %1$s $1 ;-- \\u0000 </script>"
            })
    @Rule("LBL-1")
    @DisplayName("the label of a grant comes back with its lock, by key and by lock id, whatever its characters")
    void comesBack(String label) {
        LockId lockId = grant(key, label);

        assertThat(labelOf(key)).isEqualTo(label);
        assertThat(backend.findById(lockId, NONE).orElseThrow().label()).isEqualTo(label);
    }

    @Test
    @Rule("LBL-1")
    @DisplayName("a label of 128 characters of three bytes each comes back, also in a listing")
    void isListed() {
        String label = "漢".repeat(128);
        grant(key, label);
        LockListing listing = backend.listing().orElseGet(() -> Assumptions.abort("this backend lists no locks"));
        Optional<String> cursor = Optional.empty();
        do {
            Page page = listing.list(cursor, 1000, NONE);
            for (StoredLock lock : page.locks()) {
                if (lock.key().equals(key.value())) {
                    assertThat(lock.label()).isEqualTo(label);
                    return;
                }
            }
            cursor = page.next();
        } while (cursor.isPresent());
        throw new AssertionError("the lock is not listed");
    }

    @Test
    @Rule("LBL-2")
    @DisplayName("a label goes with its grant: a later holder shows its own, or none")
    void belongsToItsGrant() {
        grant(key, LABEL);
        expire(key);
        LockId second = grant(key, null);
        assertThat(labelOf(key)).isNull();
        assertThat(backend.findById(second, NONE).orElseThrow().label()).isNull();

        expire(key);
        grant(key, "another");
        assertThat(labelOf(key)).isEqualTo("another");

        backend.release(backend.findByKey(key, NONE).orElseThrow().lockId(), NONE);
        grant(key, null);
        assertThat(labelOf(key)).isNull();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LBL-3")
    @DisplayName("an extension keeps the label")
    void isKeptByExtension(Mode mode) {
        LockId lockId = grant(key, LABEL);

        assertThat(backend.extend(new ExtendRequest(lockId, key, HOUR, mode), NONE))
                .isInstanceOf(Extended.class);

        assertThat(labelOf(key)).isEqualTo(LABEL);
    }

    @Test
    @Rule("LBL-3")
    @DisplayName(
            "attempts of others, with labels of their own and waiting or not, keep the label, and so does a repetition")
    void isKeptByOthers() {
        LockId lockId = grant(key, LABEL);

        for (boolean waits : new boolean[] {true, false}) {
            assertThat(backend.acquire(new AcquireRequest(key, newId(key), MINUTE, waits, "intruder"), NONE))
                    .isInstanceOf(Refused.class);
        }
        backend.acquire(new AcquireRequest(key, lockId, MINUTE, false, LABEL), NONE);
        assertThat(backend.extend(new ExtendRequest(lockId, key, HOUR, Mode.REPLACE), NONE))
                .isInstanceOf(Extended.class);

        assertThat(labelOf(key)).isEqualTo(LABEL);
    }
}
