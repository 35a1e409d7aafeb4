package dev.syncguard.faults.client;

import dev.syncguard.LockOptions;
import org.jspecify.annotations.Nullable;

/** W8: the same keys through every form of the call, with lookups between. */
final class MixedCalls implements Workload {

    private static final int KEYS = 16;

    @Override
    public void once(Scene scene) {
        String key = scene.key("mixed", KEYS);
        LoggedGuard guard = scene.guard();
        LockOptions options = Scene.options(scene.between(200, 600), 1000);
        LoggedLease lease = get(scene, guard, key, scene.chance(0.2) ? options.retryStoreErrors() : options);
        if (scene.chance(0.1)) {
            guard.isLocked(key);
        }
        if (scene.chance(0.05)) {
            guard.lookup(key);
        }
        if (lease != null) {
            lease.believes();
            scene.sleep(scene.chance(0.1) ? scene.between(1, 30) : 0);
            end(scene, lease);
        }
    }

    private static @Nullable LoggedLease get(Scene scene, LoggedGuard guard, String key, LockOptions options) {
        return switch (scene.random().nextInt(3)) {
            case 0 -> guard.acquire(key, options);
            case 1 -> guard.acquireAsync(key, options);
            default -> guard.tryAcquire(key, options);
        };
    }

    private static void end(Scene scene, LoggedLease lease) {
        switch (scene.random().nextInt(3)) {
            case 0 -> lease.release();
            case 1 -> lease.releaseAsync();
            default -> lease.close();
        }
    }
}
