package dev.syncguard.internal;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Reports leases that became garbage while they were held: every one that is renewed in the background, because it would be
 * held for ever, and a sample of the others, which expire by themselves. Has no thread: it looks when leases are granted or
 * renewed.
 */
final class LeakDetector {

    private static final int SAMPLE = 128;

    private final ReferenceQueue<Object> garbage = new ReferenceQueue<>();
    private final Set<Tracked> tracked = ConcurrentHashMap.newKeySet();
    private final Reports reports;

    LeakDetector(Reports reports) {
        this.reports = reports;
    }

    private static final class Tracked extends PhantomReference<Object> {
        private final LeaseState state;

        Tracked(Object handle, LeaseState state, ReferenceQueue<Object> queue) {
            super(handle, queue);
            this.state = state;
        }
    }

    /** Watches over the handle of a lease, perhaps. */
    void track(Object handle, LeaseState state) {
        if (state.options().isAutoExtend() || ThreadLocalRandom.current().nextInt(SAMPLE) == 0) {
            tracked.add(new Tracked(handle, state, garbage));
        }
        report();
    }

    /** Reports what has become garbage since the last look. */
    void report() {
        for (Reference<?> found = garbage.poll(); found != null; found = garbage.poll()) {
            if (found instanceof Tracked leak && tracked.remove(leak) && leak.state.isHeld()) {
                reports.warn("a lease of key " + leak.state.key().hash()
                        + " was dropped without being released; close it, best in a try statement"
                        + (leak.state.options().isAutoExtend() ? ": it is still renewed" : ""));
            }
        }
    }
}
