package dev.syncguard.faults.client;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LockBackend;
import java.util.concurrent.atomic.AtomicInteger;

/** W11: the driver throws an Error after the store has granted. */
final class Errors implements Workload {

    private static final LockOptions LONG = Scene.options(6000, 0);

    private int rounds;

    @Override
    public void once(Scene scene) {
        LockBackend broken = new Broken(Backends.open(scene.assignment(), 2));
        try (SyncGuard guard = SyncGuard.of(broken)) {
            LoggedGuard logged = new LoggedGuard(guard, scene.steps());
            for (int i = 0; i < 40 && !scene.isStopping(); i++) {
                String key = Scene.PREFIX + "error-" + scene.own() + "-" + (rounds * 40 + i) % 200;
                LoggedLease lease = logged.tryAcquire(key, LONG);
                if (lease != null) {
                    lease.release();
                }
                scene.sleep(20);
            }
        }
        rounds++;
    }

    private static final class Broken extends ForwardingLockBackend {

        private final AtomicInteger calls = new AtomicInteger();

        Broken(LockBackend backend) {
            super(backend);
        }

        @Override
        public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
            AcquireOutcome outcome = super.acquire(request, signal);
            if (calls.incrementAndGet() % 4 == 0) {
                throw new StackOverflowError("seeded");
            }
            return outcome;
        }
    }
}
