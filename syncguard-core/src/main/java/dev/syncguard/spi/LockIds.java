package dev.syncguard.spi;

import dev.syncguard.LockId;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Draws lock ids: 16 bytes of the JDK's cryptographic random generator each.
 *
 * <p>Bytes are drawn in blocks, because a call of {@link SecureRandom} costs more than a whole in-memory lock cycle and
 * serialises its callers. Each stripe hands out every byte once and wipes it.
 */
public final class LockIds {

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
        Arrays.setAll(stripes, i -> new Stripe());
        return stripes;
    }

    private static final class Stripe {
        private final SecureRandom source = new SecureRandom();
        private final ReentrantLock lock = new ReentrantLock();
        private final byte[] block = new byte[64 * ID_BYTES];
        private int used = block.length;

        void draw(byte[] target) {
            lock.lock();
            try {
                if (used == block.length) {
                    source.nextBytes(block);
                    used = 0;
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
