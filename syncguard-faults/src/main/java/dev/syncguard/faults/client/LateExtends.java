package dev.syncguard.faults.client;

import dev.syncguard.spi.ExtendRequest.Mode;
import java.time.Duration;

/** W13: extensions by lock id at about the moment of expiry: what is late must be refused, whatever held it up. */
final class LateExtends implements Workload {

    private static final int KEYS = 12;
    private static final int TTL = 250;

    private int turn;

    @Override
    public void once(Scene scene) {
        turn++;
        String key = Scene.PREFIX + "late-" + scene.own() + "-" + turn % KEYS;
        LoggedGuard guard = scene.guard();
        LoggedLease lease = guard.tryAcquire(key, Scene.options(TTL, 0));
        if (lease == null) {
            scene.sleep(20);
            return;
        }
        scene.sleep(scene.between(TTL - 80, TTL + 20));
        scene.other(guard).extend(key, lease.id(), Duration.ofMillis(TTL), Mode.AT_LEAST);
        if (scene.chance(0.3)) {
            scene.sleep(TTL + 50);
            scene.other(guard).extend(key, lease.id(), Duration.ofMillis(TTL), Mode.REPLACE);
        }
    }
}
