package dev.syncguard.shedlock;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.MemoryLockBackend;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code of the README. */
class ReadmeTest {

    private final List<String> done = new ArrayList<>();
    private final List<Runnable> steps = List.of(() -> done.add("step"));
    private final Repository repository = (report, fence) -> done.add(report + " " + fence.value());
    private final String report = "report";

    @FunctionalInterface
    interface Repository {
        void save(String report, Fence fence);
    }

    @Test
    @DisplayName("the README's job runs")
    void runs() {
        try (SyncGuard guard = SyncGuard.of(new MemoryLockBackend())) {
            new DefaultLockingTaskExecutor(lockProvider(guard))
                    .executeWithLock(
                            (Runnable) this::report,
                            new LockConfiguration(Instant.now(), "report", ofMinutes(10), ZERO));
        }
        assertThat(done).containsExactly("step", "report 1");
    }

    LockProvider lockProvider(SyncGuard guard) {
        return new SyncGuardLockProvider(guard, "job:"); // jobs and other locks of the same name stay apart
    }

    void report() {
        Lease lease = JobLease.current();
        for (Runnable step : steps) {
            lease.ensureValid(); // throws once the lock is lost
            step.run();
        }
        repository.save(report, lease.fence()); // refuses the write of a job that was overtaken
    }
}
