package dev.syncguard.faults.client;

import dev.syncguard.LockOptions;
import dev.syncguard.faults.register.RegisterClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What one thread of a workload has. */
final class Scene {

    /** Every key begins with it, so that a key in a log can be told from other words. */
    static final String PREFIX = "zq7:";

    private final Assignment assignment;
    private final List<LoggedGuard> guards;
    private final AtomicBoolean stopping;
    private final int thread;
    private final Random random;
    private @Nullable RegisterClient register;

    Scene(Assignment assignment, List<LoggedGuard> guards, AtomicBoolean stopping, int thread, Random random) {
        this.assignment = assignment;
        this.guards = guards;
        this.stopping = stopping;
        this.thread = thread;
        this.random = random;
    }

    Assignment assignment() {
        return assignment;
    }

    Duration closeLimit() {
        return assignment.closeLimit();
    }

    /** One of the guards. */
    LoggedGuard guard() {
        return guards.get(random.nextInt(guards.size()));
    }

    /** A guard that is another one than the given one, as another process would have. */
    LoggedGuard other(LoggedGuard guard) {
        return guard == guards.get(0) ? guards.get(1) : guards.get(0);
    }

    Steps steps() {
        return guards.get(0).steps();
    }

    Random random() {
        return random;
    }

    boolean isStopping() {
        return stopping.get();
    }

    /** A name that no other thread of any process has, but the next life of this client does. */
    String own() {
        String process = assignment.process();
        return process.substring(0, process.indexOf('.')) + "-" + thread;
    }

    String key(String name, int count) {
        return PREFIX + name + "-" + random.nextInt(count);
    }

    boolean chance(double share) {
        return random.nextDouble() < share;
    }

    int between(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    /** Sleeps, but not beyond the end of the round by much. */
    void sleep(long millis) {
        for (long left = millis; left > 0 && !isStopping(); left -= 50) {
            Pause.millis(Math.min(50, left));
        }
    }

    RegisterClient register() throws IOException {
        if (register == null) {
            register = new RegisterClient(assignment.registerPort());
        }
        return register;
    }

    void end() throws IOException {
        if (register != null) {
            register.close();
        }
    }

    static LockOptions options(long ttlMillis, long waitMillis) {
        return LockOptions.defaults()
                .ttl(Duration.ofMillis(ttlMillis))
                .waitAtMost(Duration.ofMillis(waitMillis))
                .retryDelay(Duration.ofMillis(20))
                .maxRetryDelay(Duration.ofMillis(500));
    }
}
