package dev.syncguard.faults.client;

/** W2: many keys with short leases; one in ten grants is abandoned and ends by its expiry. */
final class ManyKeys implements Workload {

    private static final int KEYS = 64;
    private static final int ABANDONED_KEYS = 24;

    @Override
    public void once(Scene scene) {
        int number = scene.random().nextInt(KEYS);
        String key = Scene.PREFIX + "many-" + number;
        LoggedLease lease = scene.guard().tryAcquire(key, Scene.options(scene.between(50, 250), 0));
        if (lease != null) {
            lease.believes();
            boolean abandon = number < ABANDONED_KEYS && scene.chance(0.27);
            if (!abandon) {
                lease.release();
            }
        } else if (scene.chance(0.1)) {
            scene.guard().isLocked(key);
        }
        scene.sleep(scene.chance(0.2) ? 1 : 0);
    }
}
