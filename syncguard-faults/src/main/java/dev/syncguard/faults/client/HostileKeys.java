package dev.syncguard.faults.client;

import java.util.List;

/** W7: keys that are hard to store, to compare or to print. */
final class HostileKeys implements Workload {

    private static final List<String> KEYS = List.of(
            "zq7:a/b/c",
            "zq7:..",
            "zq7:{tag}x",
            "zq7:'; DROP TABLE syncguard_locks; --",
            "zq7:\"quoted\"\\back\\",
            "zq7:new\nline\ttab",
            "zq7:\u0301combining e\u0301",
            "zq7:e\u0301",
            "zq7:\u202Ertl",
            "zq7:\uD83D\uDD12\uD83D\uDD11",
            "zq7:%00%0a*?[x]",
            "zq7:" + "long".repeat(100),
            "zq7: blank ",
            "zq7:id:fence:zq7");

    @Override
    public void once(Scene scene) {
        String key = KEYS.get(scene.random().nextInt(KEYS.size()));
        LoggedGuard guard = scene.guard();
        LoggedLease lease = guard.tryAcquire(key, Scene.options(300, 0));
        if (lease != null) {
            lease.believes();
            guard.isLocked(key);
            guard.lookup(key);
            lease.release();
        }
        scene.sleep(15);
    }
}
