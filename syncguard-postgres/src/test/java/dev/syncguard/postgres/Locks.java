package dev.syncguard.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import java.util.UUID;
import java.util.concurrent.Callable;

/** Short forms for tests. */
final class Locks {

    static final AbortSignal NONE = AbortSignal.none();
    static final Ttl MINUTE = new Ttl(60_000);

    private Locks() {}

    static LockKey newKey() {
        return LockKey.of("key-" + UUID.randomUUID());
    }

    static AcquireOutcome acquire(LockBackend backend, LockKey key) {
        return acquire(backend, key, LockIds.random(), MINUTE);
    }

    static AcquireOutcome acquire(LockBackend backend, LockKey key, LockId lockId, Ttl ttl) {
        return backend.acquire(new AcquireRequest(key, lockId, ttl, false), NONE);
    }

    static Granted grant(LockBackend backend, LockKey key) {
        return grant(backend, key, MINUTE);
    }

    static Granted grant(LockBackend backend, LockKey key, Ttl ttl) {
        AcquireOutcome outcome = acquire(backend, key, LockIds.random(), ttl);
        assertThat(outcome).isInstanceOf(Granted.class);
        return (Granted) outcome;
    }

    static LockException failure(Callable<?> action) {
        LockException failure = catchThrowableOfType(LockException.class, action::call);
        assertThat(failure).as("the failure").isNotNull();
        return failure;
    }
}
