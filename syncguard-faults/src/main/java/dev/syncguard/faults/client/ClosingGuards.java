package dev.syncguard.faults.client;

import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** W10: guards that are closed while they acquire. What was granted to nobody must not stay. */
final class ClosingGuards implements Workload {

    private static final int KEYS = 12;
    private static final int AT_ONCE = 6;
    private static final LockOptions LONG = Scene.options(6000, 0);

    @Override
    public void once(Scene scene) {
        String keys = Scene.PREFIX + "closing-" + scene.own() + "-";
        SyncGuard guard = SyncGuard.of(Backends.open(scene.assignment(), 4));
        try {
            LoggedGuard logged = new LoggedGuard(guard, scene.steps());
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                String key = keys + i % KEYS;
                callers.add(new Thread(() -> cycle(logged, key), "caller"));
            }
            callers.forEach(Thread::start);
            Pause.millis(scene.between(0, 15));
            long start = System.nanoTime();
            guard.close();
            scene.steps().closed(keys, System.nanoTime() - start, scene.closeLimit());
            for (Thread caller : callers) {
                caller.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            guard.close();
        }
        scene.sleep(1500);
    }

    private static void cycle(LoggedGuard guard, String key) {
        while (true) {
            LoggedLease lease = guard.acquireAsync(key, LONG, ClosingGuards::nothing);
            if (lease == null) {
                return;
            }
            lease.close();
        }
    }

    private static void nothing(CompletableFuture<Lease> stage) {}
}
