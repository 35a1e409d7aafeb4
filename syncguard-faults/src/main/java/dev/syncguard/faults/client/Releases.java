package dev.syncguard.faults.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** W4: eight releases of one lock at once, in several ways, and more of them after the key was granted again. */
final class Releases implements Workload {

    private static final int KEYS = 6;
    private static final int AT_ONCE = 8;

    @Override
    public void once(Scene scene) throws Exception {
        LoggedGuard guard = scene.guard();
        LoggedLease lease = guard.acquire(scene.key("rel", KEYS), Scene.options(2000, 1000));
        if (lease == null) {
            return;
        }
        lease.believes();
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            int way = i % 4;
            threads.add(new Thread(() -> release(scene, guard, lease, way, go), "release"));
        }
        threads.forEach(Thread::start);
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        LoggedLease next = guard.tryAcquire(lease.key(), Scene.options(500, 0));
        scene.other(guard).release(lease.key(), lease.id());
        if (next != null) {
            next.believes();
            next.release();
        }
        scene.sleep(20);
    }

    private static void release(Scene scene, LoggedGuard guard, LoggedLease lease, int way, CountDownLatch go) {
        try {
            go.await();
        } catch (InterruptedException e) {
            return;
        }
        switch (way) {
            case 0 -> lease.release();
            case 1 -> lease.releaseAsync();
            case 2 -> guard.release(lease.key(), lease.id());
            default -> scene.other(guard).release(lease.key(), lease.id());
        }
    }
}
