package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.telemetry.LockEvent;
import dev.syncguard.telemetry.TelemetryLockBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who holds a lock (decision E12). */
class LabelTest {

    private static final String LABEL = "web-3:4711:deploy";

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard labelled = simulator.newGuard(builder -> builder.label(LABEL));
    private final SyncGuard plain = simulator.newGuard();

    @ParameterizedTest
    @EnumSource
    @DisplayName("a guard's label stands beside its locks, and raw lookups and listings show it")
    void shownRaw(Driver driver) {
        Lease lease = driver.acquire(labelled, "k", LockOptions.defaults()).join();

        RawLockInfo byKey = plain.lookupRaw("k").orElseThrow();
        assertThat(byKey.label()).contains(LABEL);
        assertThat(plain.lookupRaw(lease.lockId()).orElseThrow()).isEqualTo(byKey);
        assertThat(byKey.toString()).doesNotContain(LABEL);
        assertThat(plain.lookup("k").orElseThrow().toString()).doesNotContain(LABEL);

        driver.release(lease).join();
        plain.acquire("k");
        assertThat(labelled.lookupRaw("k").orElseThrow().label()).isEmpty();
    }

    @Test
    @DisplayName("a label is in no log, event or exception")
    void nowhereElse() {
        List<LockEvent> events = new CopyOnWriteArrayList<>();
        try (LogCapture log = LogCapture.start()) {
            try (SyncGuard guard = SyncGuard.builder(TelemetryLockBackend.of(new MemoryLockBackend(), events::add))
                    .label(LABEL)
                    .build()) {
                Lease lease = guard.acquire("k");
                assertThatExceptionOfType(AcquisitionTimeoutException.class)
                        .isThrownBy(
                                () -> guard.acquire("k", LockOptions.defaults().waitAtMost(Duration.ofMillis(20))))
                        .satisfies(e -> assertThat(e.toString()).doesNotContain(LABEL));
                assertThat(lease.toString()).doesNotContain(LABEL);
            }
            simulator.failNext(Operation.ACQUIRE, Code.SERVICE_UNAVAILABLE);
            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> labelled.acquire("j"))
                    .satisfies(e -> assertThat(e.toString()).doesNotContain(LABEL));
            assertThat(log.messages()).noneMatch(line -> line.contains(LABEL));
        }
        assertThat(events).isNotEmpty().noneMatch(event -> event.toString().contains(LABEL));
        AcquireRequest request =
                new AcquireRequest(LockKey.of("k"), LockId.parse("A".repeat(22)), Ttl.DEFAULT, false, LABEL);
        assertThat(request.toString()).doesNotContain(LABEL).doesNotContain("AAAA");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "  ", "a\nb", "\u0000", "\u001b[31m", "\u009b", "a\u202Eb", "a\u2028b", "\uD800", "\u200F"})
    @DisplayName("blank labels, and characters that a terminal acts on, are refused")
    void refused(String label) {
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> SyncGuard.builder(new MemoryLockBackend()).label(label))
                .matches(e -> e.code() == Code.INVALID_ARGUMENT);
    }

    @Test
    @DisplayName("a label has up to 128 characters")
    void length() {
        SyncGuardBuilder builder = SyncGuard.builder(new MemoryLockBackend());
        assertThatCode(() -> builder.label("x".repeat(128))).doesNotThrowAnyException();
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> builder.label("x".repeat(129)))
                .matches(e -> e.code() == Code.INVALID_ARGUMENT);
    }
}
