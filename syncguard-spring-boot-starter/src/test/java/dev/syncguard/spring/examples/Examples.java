package dev.syncguard.spring.examples;

import dev.syncguard.Fence;
import dev.syncguard.SyncGuard;
import dev.syncguard.spring.CurrentLease;
import dev.syncguard.spring.Locked;
import dev.syncguard.spring.ScheduledLock;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

/** The examples of the README. */
@SpringBootConfiguration
class Examples {

    /** What was written, with which fences. */
    static final List<Fence> WRITTEN = new ArrayList<>();

    /** What was read. */
    static final List<String> FILES = new ArrayList<>();

    @Service
    static class InvoiceService {

        @Locked(key = "'invoice:' + #id", ttl = "30s", waitAtMost = "5s", autoExtend = true)
        public void charge(long id) {
            payments.charge(id, CurrentLease.get().fence());
        }

        private final Payments payments = (id, fence) -> WRITTEN.add(fence);
    }

    @Service
    static class Reports {

        @Scheduled(cron = "0 0 * * * *")
        @ScheduledLock(name = "report", lockAtMostFor = "10m", lockAtLeastFor = "5m")
        public void report() {
            write(CurrentLease.get().fence());
        }

        private static void write(Fence fence) {
            WRITTEN.add(fence);
        }
    }

    @Service
    static class Imports {

        private final SyncGuard guard;

        Imports(SyncGuard guard) {
            this.guard = guard;
        }

        public void importFile(String name) {
            guard.run("import:" + name, lease -> read(name, lease.fence()));
        }

        private static void read(String name, Fence fence) {
            FILES.add(name);
            WRITTEN.add(fence);
        }
    }

    /** Charges cards. */
    interface Payments {
        void charge(long id, Fence fence);
    }
}
