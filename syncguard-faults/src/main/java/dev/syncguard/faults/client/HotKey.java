package dev.syncguard.faults.client;

import dev.syncguard.faults.register.RegisterClient;
import dev.syncguard.faults.register.RegisterClient.Reply;

/** W1: all clients read, modify and write the same few values at the register, some for longer than their lease lasts. */
final class HotKey implements Workload {

    private static final int KEYS = 3;

    private int written;

    @Override
    public void once(Scene scene) throws Exception {
        int ttl = scene.between(150, 500);
        String key = scene.key("hot", KEYS);
        LoggedLease lease = scene.guard().acquire(key, Scene.options(ttl, 2000));
        if (lease == null) {
            scene.sleep(scene.between(1, 20));
            return;
        }
        lease.believes();
        modify(scene, lease, scene.chance(0.05) ? scene.between(0, 2 * ttl) : scene.between(0, 3));
        lease.believes();
        if (scene.chance(0.5)) {
            lease.release();
        } else {
            lease.close();
        }
        scene.sleep(scene.between(0, 10));
    }

    private void modify(Scene scene, LoggedLease lease, long sectionMillis) throws Exception {
        String by = scene.assignment().process();
        RegisterClient register = scene.register();
        Reply before = register.read(lease.key(), lease.fence(), by);
        scene.sleep(sectionMillis);
        if (before.accepted()) {
            written++;
            String value = scene.own() + "/" + by + "-" + written;
            register.write(lease.key(), lease.fence(), by, before.value(), value);
        }
    }
}
