package dev.syncguard.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What only this guard has; the contract is in {@code MemoryFenceGuardTckTest}. */
class MemoryFenceGuardTest {

    private final MemoryFenceGuard guard = new MemoryFenceGuard();

    @Test
    @DisplayName("a write behind the guard returns its result")
    void returnsResult() {
        assertThat(guard.advance("account:7", new Fence(1), () -> "written")).isEqualTo("written");
        assertThat(guard.highest("account:7")).contains(new Fence(1));
    }

    @Test
    @DisplayName("two spellings with the same normal form are one resource")
    void normalises() {
        guard.advance("caf\u00e9", new Fence(2));

        assertThatThrownBy(() -> guard.advance("cafe\u0301", new Fence(1))).isInstanceOf(StaleFenceException.class);
    }

    @Test
    @DisplayName("a write that lets a newer holder pass is not accepted itself")
    void overtakenFromInside() {
        assertThatThrownBy(() -> guard.advance("k", new Fence(1), () -> {
                    guard.advance("k", new Fence(2));
                    return "late";
                }))
                .isInstanceOf(StaleFenceException.class);

        assertThat(guard.highest("k")).contains(new Fence(2));
    }

    @Test
    @DisplayName("a missing write is an invalid argument")
    void missingWrite() {
        assertThatThrownBy(() -> guard.advance("k", new Fence(1), null))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT));
        assertThat(guard.highest("k")).isEmpty();
    }

    @Test
    @DisplayName("both fences of a refusal survive serialization")
    void serializable() throws Exception {
        StaleFenceException refusal =
                new StaleFenceException(FenceClaim.of("k", new Fence(1)).resource(), new Fence(1), new Fence(2));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(refusal);
        }

        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            StaleFenceException copy = (StaleFenceException) in.readObject();
            assertThat(copy.fence()).isEqualTo(new Fence(1));
            assertThat(copy.highest()).isEqualTo(new Fence(2));
        }
    }
}
