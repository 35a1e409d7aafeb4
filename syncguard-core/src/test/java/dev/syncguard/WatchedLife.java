package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.CallProxy.Interceptor;
import dev.syncguard.internal.SystemTimekeeper;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LeaseObserver;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The whole life of a guard on an in-memory store, with a look at every call of the backend. */
final class WatchedLife {

    private final MemoryLockBackend store = new MemoryLockBackend();
    private final List<LockException> releaseErrors = new CopyOnWriteArrayList<>();
    private final List<Throwable> told = new CopyOnWriteArrayList<>();
    private final boolean nativeAsync;
    private final boolean asyncView;
    private final UnaryOperator<Timekeeper> time;
    private volatile boolean over;
    volatile @Nullable SyncGuard guard;
    volatile @Nullable LifeCycle life;

    WatchedLife(boolean nativeAsync, boolean asyncView, UnaryOperator<Timekeeper> time) {
        this.nativeAsync = nativeAsync;
        this.asyncView = asyncView;
        this.time = time;
    }

    /** Lives; throws what building the guard throws. */
    void live(Interceptor interceptor, boolean renews, boolean worksAfterwards) throws Throwable {
        SyncGuard built = SyncGuard.builder(new CallProxy(interceptor).around(backend()))
                .onReleaseError(releaseErrors::add)
                .time(time.apply(new SystemTimekeeper()))
                .build();
        guard = built;
        LifeCycle cycle = LifeCycles.of(built, asyncView);
        life = cycle;
        try {
            LifeCycle.boundedCall(() -> {
                liveUnchecked(cycle, renews);
                return true;
            });
            over = true;
            if (worksAfterwards) {
                told.addAll(cycle.thrown);
                cycle.thrown.clear();
                LifeCycle.boundedCall(() -> {
                    liveUnchecked(cycle, false);
                    return true;
                });
                assertThat(cycle.thrown)
                        .as("failures after the fault is over")
                        .allMatch(LifeCycle.BodyFailed.class::isInstance);
            }
        } finally {
            LifeCycle.boundedCall(() -> {
                built.close();
                return true;
            });
        }
    }

    private static void liveUnchecked(LifeCycle cycle, boolean renews) {
        try {
            cycle.live(renews);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private LockBackend backend() {
        return new ForwardingLockBackend(store) {
            @Override
            public Duration commandTimeout() {
                return Duration.ofSeconds(1);
            }

            @Override
            public Optional<AsyncLockBackend> async() {
                return nativeAsync ? super.async() : Optional.empty();
            }

            @Override
            public Optional<LeaseObserver> leaseObserver() {
                return Optional.of(event -> {});
            }
        };
    }

    /** Returns whether the first life is over, in which something goes wrong; closing is the end of both. */
    boolean isOver() {
        return over;
    }

    /** Returns what callers were told in the first life. */
    List<Throwable> told() {
        return told;
    }

    List<StoredLock> locks() {
        return store.listing()
                .orElseThrow()
                .list(Optional.empty(), 100, AbortSignal.none())
                .locks();
    }

    List<LockException> releaseErrors() {
        return releaseErrors;
    }
}
