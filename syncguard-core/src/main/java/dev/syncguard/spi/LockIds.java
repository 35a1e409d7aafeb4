package dev.syncguard.spi;

import dev.syncguard.LockId;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Draws lock ids: 16 bytes of the JDK's cryptographic random generators each.
 *
 * <p>The system's generator has one lock for the whole process and costs a fifth of an in-memory lock cycle for each id.
 * So after a first block it only seeds a DRBG (NIST SP 800-90A) for each block of ids; threads draw from stripes of such
 * blocks. Each byte is handed out once and wiped. Blocks are not kept for long, and each has a seed of its own: a process
 * that is frozen and started again several times (a virtual machine's or a function's snapshot) would otherwise draw the
 * same ids in each copy, and two copies would take each other's lock for their own.
 */
public final class LockIds {

    static final int BLOCK_IDS = 64;
    static final long KEPT_MS = 100;

    private static final int ID_BYTES = 16;
    private static final int SEED_BYTES = 32;
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();
    private static final Stripe[] STRIPES =
            stripes(Integer.highestOneBit(Math.max(1, Runtime.getRuntime().availableProcessors() * 2 - 1)));

    private LockIds() {}

    /**
     * Draws a lock id. It never begins with {@code -}: on a command line it would be taken for an option. Ids of other
     * clients may, and are accepted.
     *
     * @return one that cannot be guessed
     */
    public static LockId random() {
        byte[] id = new byte[ID_BYTES];
        byte[] text;
        int stripe = Long.hashCode(Thread.currentThread().getId()) & (STRIPES.length - 1);
        do {
            STRIPES[stripe].draw(id);
            text = TEXT.encode(id);
        } while (text[0] == '-');
        return LockId.parse(new String(text, StandardCharsets.ISO_8859_1));
    }

    private static Stripe[] stripes(int count) {
        SecureRandom system = new SecureRandom();
        Stripe[] stripes = new Stripe[count];
        Arrays.setAll(stripes, i -> new Stripe(system, LockIds::generator, System::currentTimeMillis));
        return stripes;
    }

    private static SecureRandom generator() {
        try {
            return SecureRandom.getInstance("DRBG");
        } catch (NoSuchAlgorithmException e) {
            return new SecureRandom();
        }
    }

    /**
     * A block of ids for some of the threads. Who finds it in use asks the system's generator instead of waiting.
     *
     * <p>What changes with each id lies in the middle of an array, so that no other stripe is on the same cache line,
     * wherever the garbage collector puts them: threads would wait for each other's lines.
     */
    static final class Stripe {
        private static final int IN_USE = 16;
        private static final int USED = 17;
        private static final int DRAWN_AT_MS = 18;
        private static final int STATE_LONGS = 34;

        private final SecureRandom system;
        private final Supplier<SecureRandom> generators;
        private final LongSupplier clock;
        private final AtomicLongArray state = new AtomicLongArray(STATE_LONGS);
        private final byte[] block = new byte[BLOCK_IDS * ID_BYTES];
        private boolean served;
        private @Nullable SecureRandom generator;

        Stripe(SecureRandom system, Supplier<SecureRandom> generators, LongSupplier clock) {
            this.system = system;
            this.generators = generators;
            this.clock = clock;
            state.setPlain(USED, block.length);
        }

        void draw(byte[] target) {
            if (!state.compareAndSet(IN_USE, 0, 1)) {
                system.nextBytes(target);
                return;
            }
            try {
                take(target);
            } finally {
                state.setRelease(IN_USE, 0);
            }
        }

        private void take(byte[] target) {
            long nowMs = clock.getAsLong();
            int used = (int) state.getPlain(USED);
            if (used == block.length || Math.abs(nowMs - state.getPlain(DRAWN_AT_MS)) > KEPT_MS) {
                fill();
                used = 0;
                state.setPlain(DRAWN_AT_MS, nowMs);
            }
            System.arraycopy(block, used, target, 0, target.length);
            Arrays.fill(block, used, used + target.length, (byte) 0);
            state.setPlain(USED, used + target.length);
        }

        private void fill() {
            if (served) {
                expand();
            } else {
                system.nextBytes(block); // loading a DRBG takes longer than most commands that draw a single id
                served = true;
            }
        }

        private void expand() {
            if (generator == null) {
                generator = generators.get();
            }
            byte[] seed = new byte[SEED_BYTES];
            system.nextBytes(seed);
            generator.setSeed(seed);
            generator.nextBytes(block);
        }
    }
}
