package dev.syncguard.benchmarks.harness;

import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** This library as an application uses it: through the facade. */
public final class GuardCandidate implements Candidate {

    /** Everybody's locks last as long as this. */
    public static final Duration TTL = Duration.ofSeconds(30);

    private static final LockOptions PATIENT = LockOptions.defaults().ttl(TTL).waitAtMost(Duration.ofMinutes(5));
    private static final CompletionStage<?> DONE = CompletableFuture.completedStage(null);

    private final SyncGuard guard;
    private final AutoCloseable beneath;

    public GuardCandidate(LockBackend backend) {
        this(backend, () -> {});
    }

    /** On something that is closed after the guard, a pool for example. */
    public GuardCandidate(LockBackend backend, AutoCloseable beneath) {
        this(SyncGuard.of(backend), beneath);
    }

    private GuardCandidate(SyncGuard guard, AutoCloseable beneath) {
        this.guard = guard;
        this.beneath = beneath;
    }

    /** Whose stages complete on the threads of the driver. */
    public static GuardCandidate completingInPlace(LockBackend backend) {
        return new GuardCandidate(
                SyncGuard.builder(backend).executor(Runnable::run).build(), () -> {});
    }

    @Override
    public void locked(String key, Runnable body) {
        try (Lease lease = guard.acquire(key, PATIENT)) {
            if (lease.fence().value() == 0) {
                throw new IllegalStateException("no fence");
            }
            body.run();
        }
    }

    @Override
    public CompletionStage<?> cycleAsync(String key, long owner) {
        return guard.async().run(key, PATIENT, lease -> DONE);
    }

    @Override
    public void close() {
        guard.close();
        Closing.unchecked(beneath);
    }
}
