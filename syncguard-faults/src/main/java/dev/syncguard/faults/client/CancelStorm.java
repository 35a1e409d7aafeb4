package dev.syncguard.faults.client;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** W6: acquires that are aborted, interrupted or cancelled at any moment. What they were granted must not stay. */
final class CancelStorm implements Workload {

    private static final int KEYS = 4;
    private static final long TTL = 6000;

    @Override
    public void once(Scene scene) {
        String key = scene.key("storm", KEYS);
        LoggedGuard guard = scene.guard();
        LockOptions options = Scene.options(TTL, scene.chance(0.5) ? 0 : 200);
        long micros = scene.between(0, scene.chance(0.8) ? 2000 : 100_000);
        @Nullable
        LoggedLease lease = switch (scene.random().nextInt(3)) {
            case 0 -> aborted(guard, key, options, micros);
            case 1 -> interrupted(guard, key, options, micros);
            default -> guard.acquireAsync(key, options, stage -> cancelLater(stage, micros));
        };
        if (lease != null) {
            lease.release();
        }
        scene.sleep(scene.between(0, 10));
    }

    private static @Nullable LoggedLease aborted(LoggedGuard guard, String key, LockOptions options, long micros) {
        AbortSignal signal = AbortSignal.create();
        Thread later = later(micros, signal::abort);
        try {
            return guard.acquire(key, options, signal);
        } finally {
            join(later);
        }
    }

    private static @Nullable LoggedLease interrupted(LoggedGuard guard, String key, LockOptions options, long micros) {
        Thread self = Thread.currentThread();
        Thread later = later(micros, self::interrupt);
        try {
            return guard.acquire(key, options);
        } finally {
            join(later);
            boolean unused = Thread.interrupted();
        }
    }

    private static void cancelLater(CompletableFuture<?> stage, long micros) {
        join(later(micros, () -> stage.cancel(true)));
    }

    private static Thread later(long micros, Runnable task) {
        Thread thread = new Thread(
                () -> {
                    long end = System.nanoTime() + micros * 1000;
                    while (System.nanoTime() < end) {
                        Thread.onSpinWait();
                        if (end - System.nanoTime() > 200_000) {
                            LockSupport.parkNanos(50_000);
                        }
                    }
                    task.run();
                },
                "later");
        thread.start();
        return thread;
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
