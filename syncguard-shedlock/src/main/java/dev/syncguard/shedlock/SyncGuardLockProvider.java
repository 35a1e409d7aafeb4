package dev.syncguard.shedlock;

import dev.syncguard.AcquireResult;
import dev.syncguard.Contended;
import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.support.Settings;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * ShedLock's locks on a guard.
 *
 * <pre>{@code
 * @Bean
 * LockProvider lockProvider(SyncGuard guard) {
 *     return new SyncGuardLockProvider(guard);
 * }
 * }</pre>
 *
 * <p>{@code lockAtMostFor} is the ttl, {@code lockAtLeastFor} is {@link LockOptions#holdAtLeast}, both rounded up to whole
 * milliseconds and counted from the grant. A lock that is held by another client is an empty result; a store that fails is a
 * {@link dev.syncguard.LockException}. Of the guard's own options only the handlers count: a job's lock is not renewed beyond
 * {@code lockAtMostFor} unless it is extended ({@code LockExtender}, {@code KeepAliveLockProvider}).
 *
 * <p>A lock that has expired, but that its store still keeps for the tolerance of up to a second, is waited for, as long as
 * that takes. Unlocking waits for the end of a {@code lockAtLeastFor} that is less than a second away, so that the store does
 * not add its tolerance to it. It never throws because of the store: a release that fails goes
 * on in the background.
 */
public final class SyncGuardLockProvider implements ExtensibleLockProvider {

    private final SyncGuard guard;
    private final String prefix;

    /**
     * Creates a provider whose keys are the names of the locks.
     *
     * @param guard the guard; stays open
     */
    public SyncGuardLockProvider(SyncGuard guard) {
        this(guard, "");
    }

    /**
     * Creates a provider whose keys are the names of the locks behind a prefix, so that a job and other code of the
     * application that happen to use one name do not exclude each other.
     *
     * @param guard the guard; stays open
     * @param prefix for example {@code "job:"}
     */
    public SyncGuardLockProvider(SyncGuard guard, String prefix) {
        this.guard = Settings.required("guard", guard);
        this.prefix = Settings.required("prefix", prefix);
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration lockConfiguration) {
        String key = prefix + lockConfiguration.getName();
        LockOptions options = options(lockConfiguration);
        AcquireResult result = guard.tryAcquire(key, options);
        if (result instanceof Contended contended && hasExpired(contended)) {
            awaitTolerance(contended);
            result = guard.tryAcquire(key, options);
        }
        return result instanceof Lease lease
                ? Optional.of(HeldLock.begin(lease, lockConfiguration.getLockAtLeastFor()))
                : Optional.empty();
    }

    private LockOptions options(LockConfiguration configuration) {
        LockOptions handlers = guard.options();
        LockOptions options = LockOptions.defaults().ttl(wholeMillis(configuration.getLockAtMostFor()));
        options = handlers.onLost().map(options::onLost).orElse(options);
        options = handlers.onReleaseError().map(options::onReleaseError).orElse(options);
        Duration least = configuration.getLockAtLeastFor();
        return least.isZero() ? options : options.holdAtLeast(wholeMillis(least));
    }

    /** Rounds up: a lock is never shorter than asked for. */
    static Duration wholeMillis(Duration duration) {
        return Duration.ofMillis(duration.plusNanos(999_999).toMillis());
    }

    /** A live lock can be granted when it has expired and the tolerance is over; ShedLock knows no tolerance. */
    private static boolean hasExpired(Contended contended) {
        return contended.grantableIn().toMillis() < Liveness.TIME_TOLERANCE_MS;
    }

    /** No waiting for releases: a job that another machine has begun and finished meanwhile would run twice. */
    private static void awaitTolerance(Contended contended) {
        try {
            Thread.sleep(contended.grantableIn().toMillis() + 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the next attempt is aborted
        }
    }
}
