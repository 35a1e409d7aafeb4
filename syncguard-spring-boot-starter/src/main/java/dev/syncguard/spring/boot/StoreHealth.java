package dev.syncguard.spring.boot;

import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.LockException;
import dev.syncguard.SyncGuard;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether the store answers, and what the doctor has found. A finding does not make the application unhealthy: restarting it,
 * or taking it out of service, would not change the settings of the store.
 */
final class StoreHealth {

    private static final String KEY = "syncguard:health";
    private static final long DOCTOR_EVERY = Duration.ofMinutes(5).toNanos();

    private final SyncGuard guard;
    private volatile @Nullable Diagnosis last;

    /** Inspecting a store is more work than a health check may be. */
    private record Diagnosis(long at, List<String> findings) {}

    /**
     * An answer.
     *
     * @param failure why the store did not answer
     * @param details for people; without raw identifiers
     */
    record Answer(@Nullable LockException failure, Map<String, Object> details) {}

    StoreHealth(SyncGuard guard) {
        this.guard = guard;
    }

    Answer ask() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("backend", guard.capabilities().backend());
        details.put("heldLeases", guard.heldLeases());
        details.put("waiters", guard.waiters());
        details.put("pendingReleases", guard.pendingReleases());
        try {
            var unused = guard.lookup(KEY);
            details.put("findings", findings());
            return new Answer(null, details);
        } catch (LockException e) {
            details.put("error", e.code().specName());
            return new Answer(e, details);
        }
    }

    private List<String> findings() {
        Diagnosis known = last;
        if (known == null || System.nanoTime() - known.at() > DOCTOR_EVERY) {
            known = new Diagnosis(
                    System.nanoTime(),
                    guard.diagnostics().stream()
                            .filter(finding -> finding.level().compareTo(Level.WARN) >= 0)
                            .map(StoreHealth::text)
                            .toList());
            last = known;
        }
        return known.findings();
    }

    private static String text(Finding finding) {
        return finding.level() + " " + finding.id() + ": " + finding.message()
                + (finding.fix().isEmpty() ? "" : "; " + finding.fix());
    }
}
