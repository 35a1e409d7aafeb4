package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.StoredLock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** CAN: signals and interrupts. */
abstract class CancellationRules extends Rules {

    CancellationRules(LockBackendTck kit, Form form) {
        super(kit, form);
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    @Rule("CAN-1")
    @DisplayName("an operation with an aborted signal fails as aborted and leaves the store as it is")
    void aborted(Operation operation) {
        LockId held = grant(key).lockId();
        StoredLock before = stored(key);
        long counter = counter(key);
        AbortSignal signal = AbortSignal.create();
        signal.abort();

        LockException failure =
                catchThrowableOfType(LockException.class, () -> operation.run(backend, key, held, signal));

        assertThat(failure).as("the failure").isNotNull();
        assertThat(failure.code()).isEqualTo(Code.ABORTED);
        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(stored(key)).isEqualTo(before);
        assertThat(counter(key)).isEqualTo(counter);
    }

    @Test
    @Rule("CAN-1")
    @DisplayName("an acquire with an aborted signal stores no lock and takes no fence")
    void abortedAcquire() {
        AbortSignal signal = AbortSignal.create();
        signal.abort();
        AcquireRequest request = new AcquireRequest(key, newId(key), MINUTE, false);

        assertThatThrownBy(() -> backend.acquire(request, signal)).isInstanceOf(LockException.class);

        assertThat(store.stored(key.value())).isEmpty();
        assertThat(counter(key)).isZero();
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    @Rule("CAN-2")
    @DisplayName("an operation works on an interrupted thread and keeps the interrupt flag")
    void interrupted(Operation operation) {
        LockId held = grant(key).lockId();

        Thread.currentThread().interrupt();
        boolean worked;
        boolean flagKept;
        try {
            worked = operation.run(backend, key, held, NONE);
        } finally {
            flagKept = Thread.interrupted();
        }

        assertThat(worked).as("the operation worked").isTrue();
        assertThat(flagKept).as("the interrupt flag is still set").isTrue();
    }
}
