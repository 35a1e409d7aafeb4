package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome.Granted;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** FNC: fences and their counters. */
abstract class FenceRules extends Rules {

    private static final long MAX = 900_000_000_000_000L;

    FenceRules(LockBackendTck kit, Form form) {
        super(kit, form);
    }

    @Test
    @Rule("FNC-1")
    @DisplayName("each grant of a key has a higher fence, also after an expiry")
    void increases() {
        List<Fence> fences = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            fences.add(grant(key).fence());
            expire(key);
        }

        assertThat(fences).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @Rule("FNC-2")
    @DisplayName("the fence of a grant stands in its lock and in the counter")
    void isStored() {
        Granted granted = grant(key);

        assertThat(stored(key).fence()).isEqualTo(granted.fence());
        assertThat(counter(key)).isEqualTo(granted.fence().value());
    }

    @Test
    @Rule("FNC-3")
    @DisplayName("each key has a counter of its own")
    void ownCounter() {
        LockKey second = newKey();
        grant(second);
        long before = counter(second);

        grant(key);

        assertThat(counter(second)).isEqualTo(before);
    }

    @Test
    @Rule("FNC-4")
    @DisplayName("the highest fence is granted")
    void grantsHighest() {
        store.setFenceCounter(key.value(), MAX - 1);

        assertThat(grant(key).fence()).isEqualTo(Fence.MAX);
    }

    @ParameterizedTest(name = "counter {0}")
    @ValueSource(longs = {-1, MAX, MAX + 1, 1_000_000_000_000_000L})
    @Rule("FNC-5")
    @DisplayName("a used-up or damaged counter fails the acquire before anything is written")
    void failsClosed(long counter) {
        store.setFenceCounter(key.value(), counter);

        LockException failure = catchThrowableOfType(LockException.class, () -> contend(key));

        assertThat(failure).as("the failure").isNotNull();
        assertThat(failure.code()).isEqualTo(Code.INTERNAL);
        assertThat(store.stored(key.value())).isEmpty();
        assertThat(counter(key)).isEqualTo(counter);
    }

    @Test
    @Rule("FNC-6")
    @DisplayName("raising a counter that stands higher leaves it there")
    void neverLowers() {
        store.setFenceCounter(key.value(), 500);

        assertThat(backend.raiseFence(key, new Fence(20), NONE)).isEqualTo(new Fence(500));

        assertThat(counter(key)).isEqualTo(500);
    }

    @Test
    @Rule("FNC-7")
    @DisplayName("a raised counter gives a higher fence than it was raised to")
    void raises() {
        assertThat(backend.raiseFence(key, new Fence(1_000), NONE)).isEqualTo(new Fence(1_000));

        assertThat(counter(key)).isEqualTo(1_000);
        assertThat(grant(key).fence()).isGreaterThan(new Fence(1_000));
    }

    @Test
    @Rule("FNC-8")
    @DisplayName("a grant above the warning threshold is logged as a warning")
    void warns() {
        store.setFenceCounter(key.value(), Fence.WARN.value());

        try (Warnings warnings = Warnings.capture()) {
            grant(key);

            assertThat(warnings.messages()).anyMatch(message -> message.contains(key.hash()));
        }
    }

    @Test
    @Rule("FNC-9")
    @DisplayName("a counter cannot be raised above the highest fence")
    void refusesToRaiseTooHigh() {
        Fence tooHigh = new Fence(MAX + 1);

        LockException failure = catchThrowableOfType(LockException.class, () -> backend.raiseFence(key, tooHigh, NONE));

        assertThat(failure).as("the failure").isNotNull();
        assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(counter(key)).isZero();
    }
}
