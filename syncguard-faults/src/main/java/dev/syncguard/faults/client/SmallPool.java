package dev.syncguard.faults.client;

import java.util.ArrayList;
import java.util.List;

/** W9: many callers at once on a guard with two connections. */
final class SmallPool implements Workload {

    private static final int CALLERS = 32;
    private static final int KEYS = 48;

    @Override
    public void once(Scene scene) throws Exception {
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            LoggedGuard guard = scene.guard();
            String key = scene.key("pool", KEYS);
            callers.add(new Thread(() -> cycle(guard, key), "caller"));
        }
        callers.forEach(Thread::start);
        for (Thread caller : callers) {
            caller.join();
        }
        scene.sleep(400);
    }

    private static void cycle(LoggedGuard guard, String key) {
        LoggedLease lease = guard.tryAcquire(key, Scene.options(1000, 0));
        if (lease != null) {
            lease.believes();
            lease.release();
        }
    }
}
