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
        String keys = Scene.PREFIX + "error-" + scene.own() + "-";
        LockBackend broken = new Broken(Backends.open(scene.assignment(), 2));
        SyncGuard guard = SyncGuard.of(broken);
        try {
            LoggedGuard logged = new LoggedGuard(guard, scene.steps());
            for (int i = 0; i < 40 && !scene.isStopping(); i++) {
                String key = keys + (rounds * 40 + i) % 200;
                LoggedLease lease = logged.tryAcquire(key, LONG);
                if (lease != null) {
                    lease.release();
                }
                scene.sleep(20);
            }
        } finally {
            long start = System.nanoTime();
            guard.close();
            scene.steps().closed(keys, System.nanoTime() - start, scene.closeLimit());
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
