package dev.syncguard.internal;

import dev.syncguard.LockKey;
import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What all background releases of a guard share.
 *
 * @param released hears of keys that became free
 */
record CompensationContext(
        Store store,
        GuardClock clock,
        Timekeeper time,
        Executor threads,
        Reports reports,
        Consumer<LockKey> released) {}
