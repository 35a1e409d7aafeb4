package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.LockBackend;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** ERR: how a backend fails. */
abstract class ErrorRules extends Rules {

    private final Form form;

    ErrorRules(LockBackendTck kit, Form form) {
        super(kit, form);
        this.form = form;
    }

    @Test
    @Rule("ERR-1")
    @DisplayName("every operation on a store that cannot be reached fails as unavailable or timed out")
    void unreachable() {
        try (LockBackend cutOff = kit.createUnreachableBackend()) {
            LockBackend called = form.of(cutOff);
            LockId lockId = newId(key);

            for (Operation operation : Operation.ON_ONE_LOCK) {
                Throwable failure = catchThrowable(() -> operation.run(called, key, lockId, NONE));

                assertThat(failure).as("failure of %s", operation).isInstanceOf(LockException.class);
                assertThat(((LockException) failure).code()).isIn(Code.SERVICE_UNAVAILABLE, Code.NETWORK_TIMEOUT);
            }
        }
    }

    /** Returns the failures that the TCK can provoke by itself, for a key and a lock id. */
    private List<LockException> failures(LockId lockId) {
        LockKey usedUp = newKey();
        LockKey damaged = newKey();
        store.setFenceCounter(usedUp.value(), Fence.MAX.value());
        store.setFenceCounter(damaged.value(), -1);
        grant(key, lockId, MINUTE);
        List<LockException> failures = Stream.of(usedUp, damaged, newKey())
                .map(refused -> catchThrowableOfType(LockException.class, () -> acquire(refused, lockId, MINUTE)))
                .filter(Objects::nonNull)
                .toList();
        assertThat(failures).as("failures").isNotEmpty();
        return failures;
    }

    @Test
    @Rule("ERR-3")
    @DisplayName("no failure shows a raw key or lock id, in none of its causes")
    void hidesIdentifiers() {
        LockId lockId = newId(key);

        assertThat(failures(lockId)).allSatisfy(failure -> {
            StringWriter text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text));
            assertThat(text.toString()).doesNotContain("tck:").doesNotContain(lockId.value());
        });
    }

    @Test
    @Rule("ERR-4")
    @DisplayName("a failure that changed nothing does not say that its outcome is unknown")
    void knowsOutcome() {
        assertThat(failures(newId(key)))
                .allSatisfy(failure -> assertThat(failure.outcomeUnknown()).isFalse());
    }
}
