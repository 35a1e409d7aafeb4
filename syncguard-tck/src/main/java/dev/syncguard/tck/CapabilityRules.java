package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Capabilities;
import dev.syncguard.LockId;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** CAP: what a backend says about itself, and how it ends. */
abstract class CapabilityRules extends Rules {

    CapabilityRules(LockBackendTck kit) {
        super(kit, Form.BLOCKING);
    }

    @Test
    @Rule("CAP-1")
    @DisplayName("a backend has a name, supports fencing and says so each time")
    void capabilities() {
        Capabilities capabilities = backend.capabilities();

        assertThat(capabilities.backend()).isNotBlank();
        assertThat(capabilities.supportsFencing()).isTrue();
        assertThat(capabilities.timeAuthority()).isNotNull();
        assertThat(backend.capabilities()).isEqualTo(capabilities);
    }

    @Test
    @Rule("CAP-2")
    @DisplayName("a backend says how long an operation may take")
    void commandTimeout() {
        assertThat(backend.commandTimeout()).isPositive().isLessThan(Duration.ofDays(1));
    }

    @Test
    @Rule("CAP-3")
    @DisplayName("closing a backend twice does nothing")
    void closesTwice() {
        LockBackend closed = kit.createBackend();

        closed.close();
        closed.close();
    }

    @Test
    @Rule("CAP-4")
    @DisplayName("closing a backend leaves its locks and the other backends of the store alone")
    void closesItselfOnly() {
        LockId lockId;
        try (LockBackend closing = kit.createBackend()) {
            lockId = closing.newLockId(key);
            closing.acquire(new AcquireRequest(key, lockId, MINUTE, false), NONE);
        }

        assertThat(stored(key).lockId()).isEqualTo(lockId);
        assertThat(grant(newKey())).isNotNull();
    }
}
