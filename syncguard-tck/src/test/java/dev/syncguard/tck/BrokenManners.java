package dev.syncguard.tck;

import static dev.syncguard.tck.Broken.broken;
import static dev.syncguard.tck.Broken.misreported;

import dev.syncguard.AbortSignal;
import dev.syncguard.Capabilities;
import dev.syncguard.Capabilities.TimeAuthority;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Backends that get errors, cancellation, stages or their own end wrong. */
final class BrokenManners {

    private BrokenManners() {}

    static Stream<Broken> all() {
        return Stream.of(
                misreported(
                        "a lost connection is the driver's exception",
                        () -> new IllegalStateException("closed"),
                        "ERR-1"),
                misreported(
                        "a lost connection is an internal error",
                        () -> new LockException(Code.INTERNAL, "closed"),
                        "ERR-1"),
                broken("failures show the key", ShowsKey::new, "ERR-3"),
                broken("every failure is ambiguous", AlwaysAmbiguous::new, "ERR-4"),
                broken("release ignores an aborted signal", IgnoresSignal::new, "CAN-1"),
                broken("an interrupted thread cannot release", FailsInterrupted::new, "CAN-2"),
                broken("extend swallows the interrupt", SwallowsInterrupt::new, "CAN-2"),
                broken("asynchronous operations throw", ThrowsFromAsync::new, "AIO-1"),
                broken("the backend has no name", Nameless::new, "CAP-1"),
                broken("the command timeout is a whole day", EndlessTimeout::new, "CAP-2"),
                broken("closing twice throws", ClosesOnce::new, "CAP-3"),
                broken("closing drops all locks", ClosingDropsLocks::new, "CAP-4"));
    }

    private static final class ShowsKey extends SmallBackend {
        ShowsKey(SmallStore store) {
            super(store);
        }

        @Override
        Fence nextFence(LockKey key) {
            try {
                return super.nextFence(key);
            } catch (LockException e) {
                throw new LockException(e.code(), "no fence", new IllegalStateException("counter of " + key.value()));
            }
        }

        @Override
        void checkHoldsNothingElse(LockId lockId, String name) {
            try {
                super.checkHoldsNothingElse(lockId, name);
            } catch (LockException e) {
                throw new LockException(e.code(), "cannot lock " + name, e);
            }
        }
    }

    private static final class AlwaysAmbiguous extends SmallBackend {
        AlwaysAmbiguous(SmallStore store) {
            super(store);
        }

        @Override
        AcquireOutcome grant(AcquireRequest request, long now) {
            try {
                return super.grant(request, now);
            } catch (LockException e) {
                throw new LockException(e.code(), "something went wrong", e, true);
            }
        }
    }

    private static final class IgnoresSignal extends SmallBackend {
        IgnoresSignal(SmallStore store) {
            super(store);
        }

        @Override
        public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
            return super.release(request, AbortSignal.none());
        }
    }

    private static final class FailsInterrupted extends SmallBackend {
        FailsInterrupted(SmallStore store) {
            super(store);
        }

        @Override
        public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
            if (Thread.currentThread().isInterrupted()) {
                throw new LockException(Code.SERVICE_UNAVAILABLE, "interrupted");
            }
            return super.release(request, signal);
        }
    }

    private static final class SwallowsInterrupt extends SmallBackend {
        SwallowsInterrupt(SmallStore store) {
            super(store);
        }

        @Override
        public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
            ExtendOutcome outcome = super.extend(request, signal);
            Thread.interrupted();
            return outcome;
        }
    }

    private static final class ThrowsFromAsync extends SmallBackend {
        ThrowsFromAsync(SmallStore store) {
            super(store);
        }

        @Override
        public Optional<AsyncLockBackend> async() {
            return Optional.of(new SmallAsync(this) {
                @Override
                <T> CompletionStage<T> stage(Supplier<T> operation) {
                    return CompletableFuture.completedStage(operation.get());
                }
            });
        }
    }

    private static final class Nameless extends SmallBackend {
        Nameless(SmallStore store) {
            super(store);
        }

        @Override
        public Capabilities capabilities() {
            return new Capabilities("", true, TimeAuthority.SERVER);
        }
    }

    /** The worst that a guard takes; one that it refuses would break all rules about guards as well. */
    private static final class EndlessTimeout extends SmallBackend {
        EndlessTimeout(SmallStore store) {
            super(store);
        }

        @Override
        public Duration commandTimeout() {
            return Duration.ofDays(1);
        }
    }

    private static final class ClosesOnce extends SmallBackend {
        private boolean closed;

        ClosesOnce(SmallStore store) {
            super(store);
        }

        @Override
        public void close() {
            if (closed) {
                throw new IllegalStateException("closed before");
            }
            closed = true;
        }
    }

    private static final class ClosingDropsLocks extends SmallBackend {
        ClosingDropsLocks(SmallStore store) {
            super(store);
        }

        @Override
        public void close() {
            synchronized (store) {
                store.locks.clear();
            }
        }
    }
}
