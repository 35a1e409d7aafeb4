package dev.syncguard.tck;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LockBackend;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A backend that is wrong in one way.
 *
 * @param what what it does wrong
 * @param rules the rules that it breaks: those, and no others, must fail
 * @param backend makes it
 * @param naming how it names a key in the store
 * @param unreachable how it fails without a store
 */
record Broken(
        String what,
        Set<String> rules,
        Function<SmallStore, SmallBackend> backend,
        UnaryOperator<String> naming,
        Supplier<RuntimeException> unreachable) {

    /** Not broken at all. */
    static final Broken NOT = broken("nothing is wrong", SmallBackend::new);

    static Broken broken(String what, Function<SmallStore, SmallBackend> backend, String... rules) {
        return new Broken(what, Set.of(rules), backend, UnaryOperator.identity(), Broken::unavailable);
    }

    static Broken misnamed(String what, UnaryOperator<String> naming, String... rules) {
        return new Broken(what, Set.of(rules), SmallBackend::new, naming, Broken::unavailable);
    }

    static Broken misreported(String what, Supplier<RuntimeException> unreachable, String... rules) {
        return new Broken(what, Set.of(rules), SmallBackend::new, UnaryOperator.identity(), unreachable);
    }

    private static RuntimeException unavailable() {
        return new LockException(Code.SERVICE_UNAVAILABLE, "the store cannot be reached");
    }

    /** Lets others come between, also on an interrupted thread. */
    static void hesitate() {
        LockSupport.parkNanos(2_000_000);
    }

    SmallStore makeStore(LongSupplier clock) {
        return new SmallStore(clock) {
            @Override
            String name(String key) {
                return naming.apply(key);
            }
        };
    }

    LockBackend makeBackend(SmallStore store) {
        return backend.apply(store);
    }

    LockBackend makeCleaning(SmallStore store) {
        SmallBackend cleaning = backend.apply(store);
        cleaning.cleaning = true;
        return cleaning;
    }

    LockBackend makeUnreachable(SmallStore store) {
        return new SmallBackend(store) {
            @Override
            void check(AbortSignal signal) {
                throw unreachable.get();
            }
        };
    }

    @Override
    public String toString() {
        return what;
    }
}
