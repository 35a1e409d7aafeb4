package dev.syncguard;

import java.security.SecureRandom;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Repeats a test with random input, each time from a seed of its own. A failure names its seed;
 * {@code -Dsyncguard.test.seed=…} runs that case alone.
 */
public final class SeededRuns {

    static final String SEED = "syncguard.test.seed";

    private SeededRuns() {}

    public static void repeat(int times, Consumer<Random> test) {
        String given = System.getProperty(SEED);
        if (given != null) {
            run(Long.parseLong(given), test);
            return;
        }
        long first = new SecureRandom().nextLong();
        for (int i = 0; i < times; i++) {
            run(first + i, test);
        }
    }

    private static void run(long seed, Consumer<Random> test) {
        try {
            test.accept(new Random(seed));
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("failed with seed " + seed + "; repeat it with -D" + SEED + "=" + seed, e);
        }
    }
}
