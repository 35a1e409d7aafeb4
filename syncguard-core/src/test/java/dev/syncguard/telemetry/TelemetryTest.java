package dev.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.KeyHash;
import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.LogCapture;
import dev.syncguard.Rule;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.telemetry.LockEvent.Reason;
import dev.syncguard.telemetry.LockEvent.Result;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TelemetryTest {

    private final List<LockEvent> events = new CopyOnWriteArrayList<>();
    private final LockSimulator simulator = new LockSimulator();
    private final LockBackend store = simulator.newBackend();
    private final TelemetryLockBackend telemetry = TelemetryLockBackend.of(store, events::add);
    private final SyncGuard guard = SyncGuard.of(telemetry);

    @AfterEach
    void end() {
        guard.close();
    }

    @Test
    @Rule("TEL-1")
    @DisplayName("each operation gives one event with hashes and a duration")
    void oneEach() {
        Lease lease = guard.acquire("k");
        lease.extend(Duration.ofSeconds(5));
        guard.isLocked("k");
        guard.lookup("k");
        guard.lookup(lease.lockId());
        lease.release();

        List<LockEvent> seen = await(6);
        String key = KeyHash.canonical().hash("k");
        String id = KeyHash.canonical().hash(lease.lockId().value());
        assertThat(seen)
                .extracting(LockEvent::type)
                .containsExactly(
                        LockEvent.Type.ACQUIRE,
                        LockEvent.Type.EXTEND,
                        LockEvent.Type.IS_LOCKED,
                        LockEvent.Type.LOOKUP,
                        LockEvent.Type.LOOKUP,
                        LockEvent.Type.RELEASE);
        assertThat(seen).allSatisfy(event -> {
            assertThat(event.result()).isEqualTo(Result.OK);
            assertThat(event.reason()).isEmpty();
            assertThat(event.duration()).isPositive();
        });
        assertThat(seen.get(0).keyHash()).contains(key);
        assertThat(seen.get(0).lockIdHash()).contains(id);
        assertThat(seen.get(1).keyHash()).as("a lease knows its key").contains(key);
        assertThat(seen.get(1).lockIdHash()).contains(id);
        assertThat(seen.get(5).keyHash()).contains(key);
        assertThat(seen.get(3).keyHash()).contains(key);
        assertThat(seen.get(4).lockIdHash()).contains(id);
    }

    @Test
    @Rule("TEL-2")
    @DisplayName("reasons are locked, expired, not-found, or none")
    void reasons() {
        Lease lease = guard.acquire("k");
        var contended = guard.tryAcquire("k");
        assertThat(contended).isInstanceOf(dev.syncguard.Contended.class);
        simulator.expire("k");
        guard.extend(lease.lockId(), Duration.ofSeconds(1));
        guard.release(lease.lockId());
        guard.release(lease.lockId());
        guard.isLocked("k");
        guard.lookup("k");

        List<LockEvent> seen = await(7);
        assertThat(seen.get(1).reason()).contains(Reason.LOCKED);
        assertThat(seen.get(1).lockIdHash()).isEmpty();
        assertThat(seen.get(2).reason()).contains(Reason.EXPIRED);
        assertThat(seen.get(3).reason()).contains(Reason.EXPIRED);
        assertThat(seen.get(4).reason()).contains(Reason.NOT_FOUND);
        assertThat(seen.subList(5, 7)).allSatisfy(event -> {
            assertThat(event.result()).isEqualTo(Result.FAIL);
            assertThat(event.reason()).isEmpty();
        });
    }

    @Test
    @Rule("TEL-3")
    @DisplayName("a failure gives an event with its code and reaches the caller unchanged")
    void failures() {
        simulator.failNext(Operation.ACQUIRE, Code.RATE_LIMITED);

        assertThatThrownBy(() -> guard.tryAcquire("k"))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.RATE_LIMITED));

        assertThat(await(1).get(0)).satisfies(event -> {
            assertThat(event.result()).isEqualTo(Result.FAIL);
            assertThat(event.errorCode()).contains(Code.RATE_LIMITED);
        });
    }

    @Test
    @Rule("TEL-4")
    @DisplayName("raw identifiers only if permitted; a predicate that throws means no")
    void raw() {
        assertRaw(event -> true, true);
        assertRaw(event -> event.type() == LockEvent.Type.RELEASE, false);
        assertRaw(
                event -> {
                    throw new IllegalStateException("predicate");
                },
                false);
        guard.acquire("secret-key").release();
        await(2);
        assertThat(events).allSatisfy(event -> {
            assertThat(event.key()).isEmpty();
            assertThat(event.lockId()).isEmpty();
            assertThat(event.toString()).doesNotContain("secret-key");
        });
    }

    private static void assertRaw(Predicate<LockEvent> includeRaw, boolean expected) {
        List<LockEvent> seen = new CopyOnWriteArrayList<>();
        LockBackend backend = TelemetryLockBackend.builder(new MemoryLockBackend(), seen::add)
                .includeRaw(includeRaw)
                .build();
        try (SyncGuard raw = SyncGuard.of(backend)) {
            Lease lease = raw.acquire("secret-key");
            await().until(() -> operations(seen).size() == 1);
            assertThat(seen.get(0).key().isPresent()).isEqualTo(expected);
            assertThat(seen.get(0).lockId().isPresent()).isEqualTo(expected);
            assertThat(seen.get(0).toString())
                    .doesNotContain("secret-key")
                    .doesNotContain(lease.lockId().value());
            lease.release();
        }
    }

    @Test
    @Rule("TEL-5")
    @DisplayName("a blocked listener delays nothing; what does not fit is dropped and counted")
    void blockedListener() {
        CountDownLatch never = new CountDownLatch(1);
        TelemetryLockBackend blocked = TelemetryLockBackend.builder(new MemoryLockBackend(), event -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                })
                .queueCapacity(10)
                .build();
        try (SyncGuard slow = SyncGuard.of(blocked)) {
            for (int i = 0; i < 100; i++) {
                slow.acquire("k").release();
            }
            assertThat(blocked.droppedEvents()).isGreaterThanOrEqualTo(185L);
        }
        // The listener's thread is interrupted, so that it does not wait for ever.
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread ->
                        thread.getName().equals("syncguard-telemetry") && thread.getState() == Thread.State.WAITING));
    }

    @Test
    @Rule("TEL-5")
    @DisplayName("a listener that throws goes on getting events")
    void throwingListener() {
        List<LockEvent> seen = new CopyOnWriteArrayList<>();
        TelemetryLockBackend throwing = TelemetryLockBackend.of(new MemoryLockBackend(), event -> {
            seen.add(event);
            throw new IllegalStateException("listener");
        });
        try (LogCapture log = LogCapture.start();
                SyncGuard broken = SyncGuard.of(throwing)) {
            broken.acquire("k").release();
            await().until(() -> operations(seen).size() == 2);
            await().until(() -> throwing.failedEvents() >= 2);
            assertThat(log.messages()).hasSize(1);
        }
    }

    @Test
    @Rule("TEL-6")
    @DisplayName("leases, renewals and the asynchronous view give events, too")
    void leases() {
        List<LockEvent> seen = new CopyOnWriteArrayList<>();
        try (SyncGuard real = SyncGuard.of(TelemetryLockBackend.of(new MemoryLockBackend(), seen::add))) {
            Lease lease = real.async()
                    .acquire(
                            "k",
                            LockOptions.defaults().ttl(Duration.ofSeconds(1)).autoExtend())
                    .toCompletableFuture()
                    .join();
            await().until(() -> seen.stream().anyMatch(event -> event.type() == LockEvent.Type.EXTEND));
            lease.close();
            await().until(() -> seen.stream().anyMatch(event -> event.type() == LockEvent.Type.RELEASE));
            assertThat(seen.get(0).type()).isEqualTo(LockEvent.Type.ACQUIRE);
        }
    }

    @Test
    @Rule("TEL-7")
    @DisplayName("the decorator forwards every capability and optional interface")
    void forwards() {
        assertThat(telemetry.capabilities()).isEqualTo(store.capabilities());
        assertThat(telemetry.commandTimeout()).isEqualTo(store.commandTimeout());
        assertThat(telemetry.async()).isPresent();
        assertThat(telemetry.releaseSignals()).isPresent();
        assertThat(telemetry.listing()).isPresent();
        assertThat(telemetry.diagnostics()).isPresent();
    }

    private List<LockEvent> await(int count) {
        await().until(() -> operations(events).size() >= count);
        assertThat(operations(events)).hasSize(count);
        return operations(events);
    }

    private static List<LockEvent> operations(List<LockEvent> events) {
        return events.stream().filter(event -> event.type().isOperation()).toList();
    }

    private static org.awaitility.core.ConditionFactory await() {
        return org.awaitility.Awaitility.await();
    }
}
