package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Everything that a guard does, once through. Each action may fail, but only in a way that a caller is told about, and
 * closing never fails. Nothing takes longer than {@link #LIMIT}.
 */
abstract class LifeCycle {

    static final Duration LIMIT = Duration.ofSeconds(15);
    private static final Duration STEP = Duration.ofMillis(20);
    static final LockOptions HOLD = LockOptions.defaults()
            .ttl(Duration.ofMinutes(1))
            .waitAtMost(Duration.ofSeconds(5))
            .retryDelay(Duration.ofMillis(20));
    static final LockOptions RENEWED = HOLD.ttl(Duration.ofMillis(1800)).autoExtend();

    /** What the body throws, which no failure of the store may hide. */
    static final class BodyFailed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    final SyncGuard guard;
    final Set<LockId> delivered = ConcurrentHashMap.newKeySet();
    final List<Throwable> thrown = new CopyOnWriteArrayList<>();

    /** Whether the lease that is renewed was lost. */
    volatile boolean lost;

    LifeCycle(SyncGuard guard) {
        this.guard = guard;
    }

    abstract Lease acquire(String key, LockOptions options) throws Throwable;

    abstract void tryAcquire(String key) throws Throwable;

    abstract void call(String key, LockOptions options, LockedAction<RuntimeException> body) throws Throwable;

    abstract void extend(Lease lease) throws Throwable;

    abstract void release(Lease lease) throws Throwable;

    abstract void close(Lease lease) throws Throwable;

    abstract void look(String key, LockId lockId) throws Throwable;

    interface Action {
        void run() throws Throwable;
    }

    void live(boolean renews) throws Throwable {
        attempt(this::contention);
        attempt(() -> tryAcquire("single"));
        bodyThatThrows();
        if (renews) {
            attempt(() -> call("renewed", RENEWED, this::awaitRenewals));
        }
        attempt(() -> hold("extended", HOLD.autoExtend(), this::extend));
        attempt(() -> hold("released", HOLD, this::release));
        attempt(() -> hold("seen", HOLD, lease -> look("seen", lease.lockId())));
    }

    void attempt(Action action) {
        try {
            action.run();
        } catch (AssertionError e) {
            throw e;
        } catch (Throwable e) {
            thrown.add(e);
        }
    }

    private interface Use {
        void of(Lease lease) throws Throwable;
    }

    private void hold(String key, LockOptions options, Use use) throws Throwable {
        Lease lease = acquire(key, options);
        delivered.add(lease.lockId());
        try {
            use.of(lease);
        } finally {
            closing(lease);
        }
    }

    private void closing(Lease lease) {
        try {
            close(lease);
        } catch (Throwable e) {
            fail("closing a lease threw", e);
        }
    }

    /** One waits for what the other one holds, and gets it. */
    private void contention() throws Throwable {
        Lease held = acquire("contended", HOLD);
        delivered.add(held.lockId());
        CompletableFuture<Boolean> waiting = Blocked.start(() -> {
            attempt(() -> hold("contended", HOLD, lease -> {}));
            return true;
        });
        try {
            waiting.get(60, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // As it should be.
        } finally {
            closing(held);
            bounded(waiting);
        }
    }

    private void bodyThatThrows() {
        BodyFailed failure = new BodyFailed();
        boolean[] began = {false};
        try {
            call("body", HOLD, lease -> {
                began[0] = true;
                delivered.add(lease.lockId());
                throw failure;
            });
            fail("the body's exception is lost");
        } catch (AssertionError e) {
            throw e;
        } catch (Throwable e) {
            assertThat(e == failure).as("the body's exception wins over " + e).isEqualTo(began[0]);
            thrown.add(e);
        }
    }

    /**
     * Waits until the lease has been renewed twice: one renewal that went wrong is not the last one. A machine that is so
     * busy that this thread does not run for a while proves nothing.
     */
    private void awaitRenewals(Lease lease) {
        delivered.add(lease.lockId());
        Set<Long> expiries = new HashSet<>();
        long looked = System.nanoTime();
        boolean stalled = false;
        while (expiries.size() <= 2 && lease.isValid()) {
            expiries.add(lease.expiresAtMs());
            LockSupport.parkNanos(STEP.toNanos());
            stalled |= System.nanoTime() - looked > 10 * STEP.toNanos();
            looked = System.nanoTime();
        }
        lost |= lease.wasLost() && !stalled;
    }

    static <T> T bounded(CompletionStage<T> stage) throws Throwable {
        try {
            return stage.toCompletableFuture().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return fail("a stage that never completes");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof CompletionException inner ? inner.getCause() : e.getCause();
        }
    }

    /** Runs something that blocks, but not longer than the limit. */
    static <T> T boundedCall(Callable<T> call) throws Throwable {
        return bounded(Blocked.start(call));
    }
}
