package dev.syncguard.faults.client;

import dev.syncguard.LockOptions;
import dev.syncguard.spi.ExtendRequest.Mode;
import java.time.Duration;

/**
 * W5: requests that come again. The key belongs to this thread alone: whatever the network repeats, it must never meet
 * itself there. After an acquire without a lease it takes another key: on this one whatever is left of that acquire would
 * excuse the next.
 */
final class Replays implements Workload {

    private static final Duration LONG = Duration.ofSeconds(2);

    private int left;

    @Override
    public void once(Scene scene) {
        LoggedGuard guard = scene.guard();
        String key = Scene.PREFIX + "own-" + scene.own() + "-" + left;
        boolean waits = scene.chance(0.3);
        LockOptions once = Scene.options(LONG.toMillis(), 0);
        LockOptions patient = Scene.options(LONG.toMillis(), 1500).retryStoreErrors();
        LoggedLease lease = waits ? guard.acquire(key, patient) : guard.tryAcquire(key, once);
        if (lease == null) {
            left++;
            scene.sleep(20);
            return;
        }
        LoggedGuard elsewhere = scene.other(guard);
        lease.believes();
        lease.release();
        if (scene.chance(0.3)) {
            elsewhere.release(key, lease.id());
        }
        if (scene.chance(0.3)) {
            elsewhere.extend(key, lease.id(), LONG, scene.chance(0.5) ? Mode.REPLACE : Mode.AT_LEAST);
        }
    }
}
