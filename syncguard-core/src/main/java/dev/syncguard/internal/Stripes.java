package dev.syncguard.internal;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Several of a thing in place of one, so that threads that have nothing to do with each other do not wait for each other's
 * cache lines: even a map that they use without any conflict counts its entries for all of them.
 *
 * @param <T> what there are several of
 */
final class Stripes<T> {

    private static final int BITS = 4;
    private static final int SCATTER = 0x9E3779B9; // neighbours come to lie far apart

    private final List<T> all;

    Stripes(Supplier<T> maker) {
        this.all = Stream.generate(maker).limit(1 << BITS).toList();
    }

    /** Returns the one for a number, always the same. */
    T of(int number) {
        return all.get((number * SCATTER) >>> (Integer.SIZE - BITS));
    }

    List<T> all() {
        return all;
    }
}
