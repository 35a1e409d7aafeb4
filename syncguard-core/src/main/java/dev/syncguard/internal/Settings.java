package dev.syncguard.internal;

import dev.syncguard.KeyHash;
import dev.syncguard.LockException;
import dev.syncguard.LockOptions;
import dev.syncguard.spi.Timekeeper;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the builder of a guard collects.
 *
 * @param defaults the options of calls without options
 * @param hash makes the hashes of keys and lock ids
 * @param disposeTimeout how long closing a lease may take, if limited
 * @param onReleaseError what to do when closing a lease fails, if not logged
 * @param threads how many threads blocking calls of the asynchronous view may take
 * @param executor where stages complete and handlers run, if not on threads of the guard
 * @param time the clock and timer
 * @param label who holds the locks of the guard, if that is told
 */
public record Settings(
        LockOptions defaults,
        KeyHash hash,
        @Nullable Duration disposeTimeout,
        @Nullable Consumer<LockException> onReleaseError,
        int threads,
        @Nullable Executor executor,
        Timekeeper time,
        @Nullable String label) {}
