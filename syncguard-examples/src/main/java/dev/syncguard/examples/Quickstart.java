package dev.syncguard.examples;

import static java.time.Duration.ofSeconds;

import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.MemoryLockBackend;
import java.util.ArrayList;
import java.util.List;

/** The lines that the README shows. */
public final class Quickstart {

    static final LockOptions PATIENT =
            LockOptions.defaults().ttl(ofSeconds(10)).waitAtMost(ofSeconds(5)).autoExtend();

    private final List<String> charged = new ArrayList<>();

    private Quickstart() {}

    /**
     * Runs it.
     *
     * @param args ignored
     */
    public static void main(String[] args) {
        System.out.println(run());
    }

    static List<String> run() {
        Quickstart quickstart = new Quickstart();
        quickstart.readme();
        return quickstart.charged;
    }

    private void readme() {
        try (SyncGuard guard = SyncGuard.of(new MemoryLockBackend())) {

            guard.run("invoice:42", lease -> charge("run", lease.fence())); // waits, runs, releases

            try (Lease lease = guard.acquire("invoice:42", PATIENT)) { // extended in the background
                lease.ensureValid(); // before each step that needs the lock
                charge("acquire", lease.fence());
            }

            if (guard.tryAcquire("invoice:42") instanceof Lease lease) { // one attempt: a Lease, or Contended
                try (lease) {
                    charge("tryAcquire", lease.fence());
                }
            }
        }
    }

    private void charge(String how, Fence fence) {
        charged.add(how + " " + fence);
    }
}
