package dev.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.Rule;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.spi.LockIds;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FenceMemoryTest {

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();

    @Test
    @Rule("FNC-10")
    @DisplayName("a store that lost its counter is noticed: the grant goes back, both fences are named")
    void regression() {
        IntStream.range(0, 5).forEach(i -> guard.acquire("k").release());
        simulator.setFenceCounter("k", 2);

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> guard.acquire("k"))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(Code.INTERNAL);
                    assertThat(e.getMessage())
                            .contains("fence regressed")
                            .contains("000000000000003")
                            .contains("000000000000005");
                });
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @Rule("FNC-10")
    @DisplayName("the same fence twice is noticed, too, and raising the counter repairs it")
    void repaired() {
        guard.acquire("k").release();
        simulator.setFenceCounter("k", 0);
        assertThatExceptionOfType(LockException.class).isThrownBy(() -> guard.acquire("k"));

        simulator.newBackend().raiseFence(LockKey.of("k"), new Fence(1), dev.syncguard.AbortSignal.none());

        assertThat(guard.acquire("k").fence()).isEqualTo(new Fence(2));
    }

    @Test
    @Rule("FNC-11")
    @DisplayName("keys that push each other out never cause an alarm")
    void bounded() {
        FenceMemory memory = new FenceMemory();
        for (int round = 1; round <= 3; round++) {
            for (int i = 0; i < 20_000; i++) {
                LockKey key = LockKey.of("key-" + i);
                FenceMemory.Seen before = memory.recall(key);
                assertThat(before == null || before.key().equals(key)).isTrue();
                memory.check(before, key, LockIds.random(), new Fence(round));
                memory.remember(key, LockIds.random(), new Fence(round));
            }
        }
    }

    @Test
    @Rule("FNC-11")
    @DisplayName("replies that are handled out of order are no regression")
    void outOfOrder() {
        FenceMemory memory = new FenceMemory();
        LockKey key = LockKey.of("k");
        FenceMemory.Seen beforeFirst = memory.recall(key);
        memory.remember(key, LockIds.random(), new Fence(6));

        memory.check(beforeFirst, key, LockIds.random(), new Fence(5));
        memory.remember(key, LockIds.random(), new Fence(5));

        assertThat(memory.recall(key)).extracting(FenceMemory.Seen::fence).isEqualTo(new Fence(6));
    }

    @Test
    @DisplayName("a repetition of the same lock id may bring the same fence")
    void replay() {
        Lease lease = guard.acquire("k", LockOptions.defaults().ttl(Duration.ofSeconds(10)));
        FenceMemory memory = new FenceMemory();
        LockKey key = LockKey.of("k");
        memory.remember(key, lease.lockId(), lease.fence());

        memory.check(memory.recall(key), key, lease.lockId(), lease.fence());
    }
}
