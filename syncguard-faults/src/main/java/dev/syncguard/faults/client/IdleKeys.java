package dev.syncguard.faults.client;

/** W12: keys that nobody touches for longer than an expired lock is kept, and that somebody then looks at. */
final class IdleKeys implements Workload {

    private static final int MILLIS = 2300;

    @Override
    public void once(Scene scene) {
        String key = Scene.PREFIX + "idle-" + scene.own();
        LoggedGuard guard = scene.guard();
        LoggedLease abandoned = guard.tryAcquire(key, Scene.options(100, 0));
        scene.sleep(MILLIS);
        guard.isLocked(key);
        LoggedLease lease = abandoned == null ? null : guard.tryAcquire(key, Scene.options(500, 0));
        if (lease != null) {
            lease.release();
        }
    }
}
