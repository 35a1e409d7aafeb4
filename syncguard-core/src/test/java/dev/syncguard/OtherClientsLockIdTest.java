package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.memory.LockSimulator;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A lock of another client whose id begins with a dash, by the guard's calls that take a lock id (E14). */
class OtherClientsLockIdTest {

    private static final LockId ID = LockId.parse("-dash-and-_underscore0");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private SyncGuard guard;

    @BeforeEach
    void hold() {
        LockBackend backend = new LockSimulator().newBackend();
        backend.acquire(new AcquireRequest(LockKey.of("key"), ID, new Ttl(60_000), false), AbortSignal.none());
        guard = SyncGuard.of(backend);
    }

    @AfterEach
    void close() {
        guard.close();
    }

    @Test
    @DisplayName("it is found, extended and released")
    void blocking() {
        assertThat(guard.owns(ID)).isTrue();
        assertThat(guard.lookup(ID)).isPresent();
        assertThat(guard.lookupRaw(ID)).map(RawLockInfo::lockId).contains(ID);
        assertThat(guard.extend(ID, MINUTE).ok()).isTrue();
        assertThat(guard.extendAtLeast(ID, MINUTE).ok()).isTrue();
        assertThat(guard.release(ID)).isTrue();
        assertThat(guard.isLocked("key")).isFalse();
    }

    @Test
    @DisplayName("also asynchronously")
    void asynchronous() {
        AsyncSyncGuard async = guard.async();

        assertThat(async.owns(ID).toCompletableFuture().join()).isTrue();
        assertThat(async.lookup(ID).toCompletableFuture().join()).isPresent();
        assertThat(async.extend(ID, MINUTE).toCompletableFuture().join().ok()).isTrue();
        assertThat(async.release(ID).toCompletableFuture().join()).isTrue();
    }
}
