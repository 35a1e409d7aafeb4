package dev.syncguard.spi;

import dev.syncguard.LockId;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Draws lock ids: 16 bytes of the JDK's cryptographic random generator each.
 *
 * <p>Bytes are drawn in blocks, because a call of {@link SecureRandom} costs more than a whole in-memory lock cycle and
 * serialises its callers. Each stripe hands out every byte once and wipes it. Bytes are not kept for long: a process that
 * is frozen and started again several times (a virtual machine's or a function's snapshot) would otherwise draw the same
 * ids in each copy, and two copies would take each other's lock for their own.
 */
public final class LockIds {

    static final int BLOCK_IDS = 16;
    static final long KEPT_MS = 100;

    private static final int ID_BYTES = 16;
    private static final Stripe[] STRIPES =
            stripes(Integer.highestOneBit(Math.max(1, Runtime.getRuntime().availableProcessors() * 2 - 1)));

    private LockIds() {}

    /**
     * Draws a lock id.
     *
     * @return one that nobody can guess
     */
    public static LockId random() {
        byte[] id = new byte[ID_BYTES];
        int stripe = Long.hashCode(Thread.currentThread().getId()) & (STRIPES.length - 1);
        STRIPES[stripe].draw(id);
        byte[] text = Base64.getUrlEncoder().withoutPadding().encode(id);
        return LockId.parse(new String(text, StandardCharsets.ISO_8859_1));
    }

    private static Stripe[] stripes(int count) {
        Stripe[] stripes = new Stripe[count];
        Arrays.setAll(stripes, i -> new Stripe(new SecureRandom(), System::currentTimeMillis));
        return stripes;
    }

    static final class Stripe {
        private final SecureRandom source;
        private final LongSupplier clock;
        private final ReentrantLock lock = new ReentrantLock();
        private final byte[] block = new byte[BLOCK_IDS * ID_BYTES];
        private int used = block.length;
        private long drawnAtMs;

        Stripe(SecureRandom source, LongSupplier clock) {
            this.source = source;
            this.clock = clock;
        }

        void draw(byte[] target) {
            lock.lock();
            try {
                long nowMs = clock.getAsLong();
                if (used == block.length || Math.abs(nowMs - drawnAtMs) > KEPT_MS) {
                    source.nextBytes(block);
                    used = 0;
                    drawnAtMs = nowMs;
                }
                System.arraycopy(block, used, target, 0, target.length);
                Arrays.fill(block, used, used + target.length, (byte) 0);
                used += target.length;
            } finally {
                lock.unlock();
            }
        }
    }
}
