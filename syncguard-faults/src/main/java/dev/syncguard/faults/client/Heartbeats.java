package dev.syncguard.faults.client;

import dev.syncguard.LockOptions;
import dev.syncguard.spi.ExtendRequest.Mode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * W3: leases that are renewed in the background, or extended by hand, some too late; some are shortened while another thread
 * keeps asking whether they are valid. Who hears of a loss takes its time.
 */
final class Heartbeats implements Workload {

    private static final int KEYS = 6;

    @Override
    public void once(Scene scene) throws Exception {
        int ttl = scene.between(400, 1000);
        boolean auto = scene.chance(0.5);
        LockOptions options = Scene.options(ttl, 3000);
        LoggedLease lease = scene.guard().acquire(scene.key("beat", KEYS), auto ? options.autoExtend() : options);
        if (lease == null) {
            return;
        }
        lease.lease().onLost(loss -> Pause.millis(2L * ttl));
        if (auto) {
            watch(scene, lease, scene.between(300, 2500));
        } else if (scene.chance(0.5)) {
            extend(scene, lease, ttl);
        } else {
            shorten(scene, lease, ttl);
        }
        lease.release();
    }

    private static void watch(Scene scene, LoggedLease lease, int millis) {
        for (int passed = 0; passed < millis && !scene.isStopping() && lease.believes(); passed += 25) {
            scene.sleep(25);
        }
    }

    private static void extend(Scene scene, LoggedLease lease, int ttl) {
        for (int i = 0; i < 4 && !scene.isStopping(); i++) {
            watch(scene, lease, scene.chance(0.15) ? ttl * 5 / 4 : ttl / 2);
            if (!lease.extend(Duration.ofMillis(ttl), scene.chance(0.5) ? Mode.REPLACE : Mode.AT_LEAST)) {
                return;
            }
        }
    }

    /** To a time that ends soon: whoever waits gets the lock then, also if the answer is late. */
    static void shorten(Scene scene, LoggedLease lease, int ttl) throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        Thread asks = new Thread(
                () -> {
                    while (!done.get()) {
                        lease.believes();
                        Pause.millis(5);
                    }
                },
                "asks");
        asks.start();
        lease.extend(Duration.ofMillis(scene.between(20, 100)), Mode.REPLACE);
        scene.sleep(ttl / 2);
        done.set(true);
        asks.join();
    }
}
