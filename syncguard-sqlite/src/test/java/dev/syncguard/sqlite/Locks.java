package dev.syncguard.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import java.time.Duration;
import org.awaitility.Awaitility;

/** Short forms for tests. */
final class Locks {

    static final AbortSignal NONE = AbortSignal.none();
    static final Ttl MINUTE = new Ttl(60_000);
    static final LockKey KEY = LockKey.of("invoice:42");

    private Locks() {}

    static AcquireOutcome acquire(LockBackend backend, LockKey key, LockId lockId) {
        return backend.acquire(new AcquireRequest(key, lockId, MINUTE, false), NONE);
    }

    static AcquireOutcome acquire(LockBackend backend, LockKey key) {
        return acquire(backend, key, LockIds.random());
    }

    static Granted grant(LockBackend backend, LockKey key) {
        AcquireOutcome outcome = acquire(backend, key);
        assertThat(outcome).isInstanceOf(Granted.class);
        return (Granted) outcome;
    }

    /** Waits for the look at the settings that follows the first acquire of a backend: it uses the file, too. */
    static void awaitStartCheck() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("syncguard-start-check")));
    }
}
