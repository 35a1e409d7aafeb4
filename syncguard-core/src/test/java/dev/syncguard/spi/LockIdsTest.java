package dev.syncguard.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LockIdsTest {

    private final CountingRandom system = new CountingRandom();
    private final AtomicLong nowMs = new AtomicLong(1_000_000);
    private final LockIds.Stripe stripe = new LockIds.Stripe(system, SeedOnly::new, nowMs::get);

    @Test
    @DisplayName("no id comes twice")
    void distinct() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            assertThat(seen.add(LockIds.random().value())).isTrue();
        }
    }

    @Test
    @DisplayName("a block serves several ids, one after the other, and then a new one is drawn")
    void blocks() {
        for (int i = 0; i < LockIds.BLOCK_IDS + 1; i++) {
            stripe.draw(new byte[16]);
        }

        assertThat(system.draws).isEqualTo(2);
    }

    @Test
    @DisplayName("random bytes from before a snapshot of the process are not used after it")
    void snapshot() {
        stripe.draw(new byte[16]);
        nowMs.addAndGet(LockIds.KEPT_MS + 1);
        stripe.draw(new byte[16]);

        assertThat(system.draws).isEqualTo(2);
    }

    @Test
    @DisplayName("each block has a seed of the system: copies of a process part ways with their next block")
    void seeded() {
        Set<String> blocks = new HashSet<>();
        for (int copy = 0; copy < 20; copy++) {
            LockIds.Stripe one = new LockIds.Stripe(system, SeedOnly::new, nowMs::get);
            byte[] id = new byte[16];
            for (int i = 0; i < LockIds.BLOCK_IDS + 1; i++) {
                one.draw(id);
            }
            blocks.add(Arrays.toString(id));
        }

        assertThat(blocks).hasSize(20);
    }

    @Test
    @DisplayName("nor after the clock was set back")
    void clockSetBack() {
        stripe.draw(new byte[16]);
        nowMs.addAndGet(-LockIds.KEPT_MS - 1);
        stripe.draw(new byte[16]);

        assertThat(system.draws).isEqualTo(2);
    }

    @Test
    @DisplayName("who finds a stripe in use asks the system, and waits for nobody")
    void inUse() {
        byte[] outer = new byte[16];
        byte[] inner = new byte[16];
        AtomicReference<LockIds.Stripe> busy = new AtomicReference<>();
        busy.set(new LockIds.Stripe(system, SeedOnly::new, () -> {
            busy.get().draw(inner); // while the outer draw is under way
            return nowMs.get();
        }));

        busy.get().draw(outer);
        assertThat(system.draws).isEqualTo(2);
        assertThat(inner).isNotEqualTo(outer).isNotEqualTo(new byte[16]);
    }

    /** A generator without a secret of its own: what it gives depends on its seeds alone. */
    private static final class SeedOnly extends SecureRandom {

        private static final long serialVersionUID = 1;

        private final Random random = new Random(0);
        private long state;

        @Override
        public void setSeed(byte[] seed) {
            state = state * 31 + Arrays.hashCode(seed);
        }

        @Override
        public void nextBytes(byte[] bytes) {
            random.setSeed(state);
            random.nextBytes(bytes);
        }
    }

    private static final class CountingRandom extends SecureRandom {

        private static final long serialVersionUID = 1;

        private int draws;

        @Override
        public void nextBytes(byte[] bytes) {
            draws++;
            super.nextBytes(bytes);
        }
    }
}
