package dev.syncguard.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Where each background release of a guard stands. */
final class ReleaseBook<R> {

    private final Set<R> pending = ConcurrentHashMap.newKeySet();
    private final Set<R> settled = ConcurrentHashMap.newKeySet();
    private final Queue<R> stuck = new ConcurrentLinkedQueue<>();
    private final Queue<R> notSeen = new ConcurrentLinkedQueue<>();
    private volatile boolean closing;

    void begin(R release) {
        pending.add(release);
    }

    /** Returns the releases of locks that may be there. */
    Set<R> pending() {
        return pending;
    }

    /** What was looked for was not found: from now on the release is settled, unless it has ended. */
    void settle(R release) {
        if (pending.contains(release)) {
            settled.add(release);
            pending.remove(release);
        }
    }

    /** Returns the releases that are most likely done, so that only a guard that closes need hurry. */
    Set<R> settled() {
        return settled;
    }

    void ended(R release) {
        pending.remove(release);
        settled.remove(release);
    }

    boolean isEmpty() {
        return pending.isEmpty() && settled.isEmpty();
    }

    // ---- without a thread

    void stuck(R release) {
        stuck.add(release);
    }

    /** Returns how many releases found no thread. */
    int stuck() {
        return stuck.isEmpty() ? 0 : stuck.size();
    }

    @Nullable
    R pollStuck() {
        return stuck.poll();
    }

    // ---- the end

    void close() {
        closing = true;
    }

    /** Returns whether the guard closes, so that what was not found twice is not looked for again. */
    boolean isClosing() {
        return closing;
    }

    /** A release ends because the guard closes, although a request may still arrive. */
    void notSeen(R release) {
        notSeen.add(release);
    }

    /** Returns the releases after which a request may still arrive. */
    Collection<R> notSeen() {
        List<R> all = new ArrayList<>(notSeen);
        all.addAll(settled);
        return all;
    }
}
