package dev.syncguard.examples;

import dev.syncguard.Finding;
import dev.syncguard.Lease;
import dev.syncguard.LockId;
import dev.syncguard.LockInfo;
import dev.syncguard.RawLockInfo;
import dev.syncguard.SyncGuard;
import dev.syncguard.micrometer.GuardMeters;
import dev.syncguard.micrometer.MeteredLockBackend;
import dev.syncguard.spi.LockBackend;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Optional;

/** The code of the guide's pages about operating. */
final class GuideOperations {

    private GuideOperations() {}

    /** What the store says about a lease. */
    record Ownership(boolean owned, Optional<LockInfo> seen, Optional<RawLockInfo> holder) {}

    static Ownership ownership(SyncGuard guard, Lease lease) {
        LockId lockId = lease.lockId();
        boolean owned = guard.owns(lockId); // asks the store: for a status page or an alert
        Optional<LockInfo> seen = guard.lookup("invoice:42"); // hashes, fence, times
        Optional<RawLockInfo> holder = guard.lookupRaw("invoice:42"); // key, lock id and label: sensitive
        return new Ownership(owned, seen, holder);
    }

    static SyncGuard meters(LockBackend backend, MeterRegistry registry) {
        SyncGuard guard = SyncGuard.of(MeteredLockBackend.builder(backend, registry)
                .tags(Tags.of("store", "redis"))
                .build());
        new GuardMeters(guard, Tags.of("store", "redis")).bindTo(registry);
        return guard;
    }

    static boolean isHealthy(SyncGuard guard) {
        return guard.diagnostics().stream().noneMatch(finding -> finding.level() == Finding.Level.DANGER);
    }

    static String invoice(String environment, long id) {
        return environment + ":invoice:" + id; // "prod:invoice:42"
    }
}
