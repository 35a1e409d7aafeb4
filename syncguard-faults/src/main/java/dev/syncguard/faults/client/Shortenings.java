package dev.syncguard.faults.client;

/**
 * W14: every lease is shortened while its holder keeps asking whether it is valid, and the answer may be late. Part of W3, and
 * alone where a seeded bug is to be seen in seconds.
 */
final class Shortenings implements Workload {

    private static final int KEYS = 2;
    private static final int TTL = 1000;

    @Override
    public void once(Scene scene) throws Exception {
        LoggedLease lease = scene.guard().acquire(scene.key("short", KEYS), Scene.options(TTL, 3000));
        if (lease != null) {
            Heartbeats.shorten(scene, lease, TTL);
            lease.release();
        }
    }
}
