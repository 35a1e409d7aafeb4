package dev.syncguard;

import dev.syncguard.AbortSignal.Registration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The listeners of one signal. They watch its source while there are any, so that no source knows signals without. */
final class AbortListeners {

    private final @Nullable AbortSource source;
    private final Runnable onSource;
    private final ReentrantLock lock = new ReentrantLock();
    private Set<Entry> entries = Set.of();
    private Registration watch = Registration.NONE;
    private boolean fired;

    AbortListeners(@Nullable AbortSource source, Runnable onSource) {
        this.source = source;
        this.onSource = onSource;
    }

    /** Returns null if the listeners have been told already. */
    @Nullable
    Registration add(Runnable listener) {
        Entry entry = new Entry(listener);
        boolean watched;
        lock.lock();
        try {
            if (fired) {
                return null;
            }
            if (entries.isEmpty()) {
                entries = new LinkedHashSet<>(2);
            }
            entries.add(entry);
            watched = watch != Registration.NONE;
        } finally {
            lock.unlock();
        }
        try {
            if (source != null && !watched) {
                keep(source.watch(onSource)); // without the lock: it runs the listeners if it fires at this moment
            }
        } catch (Throwable e) {
            remove(entry);
            throw e;
        }
        return () -> remove(entry);
    }

    /** Keeps one registration with the source, and ends it if another thread was quicker or nothing listens any more. */
    private void keep(Registration registration) {
        lock.lock();
        try {
            if (watch == Registration.NONE && !entries.isEmpty()) {
                watch = registration;
                return;
            }
        } finally {
            lock.unlock();
        }
        registration.close();
    }

    private void remove(Entry entry) {
        Registration ended = Registration.NONE;
        lock.lock();
        try {
            if (!entries.isEmpty() && entries.remove(entry) && entries.isEmpty()) {
                ended = watch;
                watch = Registration.NONE;
            }
        } finally {
            lock.unlock();
        }
        ended.close();
    }

    /** Runs all, whatever one of them throws; then throws the first failure. */
    void fire() {
        Set<Entry> told;
        Registration ended;
        lock.lock();
        try {
            fired = true;
            told = entries;
            entries = Set.of();
            ended = watch;
            watch = Registration.NONE;
        } finally {
            lock.unlock();
        }
        ended.close();
        Throwable first = null;
        for (Entry entry : told) {
            try {
                entry.listener.run();
            } catch (Throwable e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            AbortListeners.<RuntimeException>rethrow(first);
        }
    }

    /** Also for checked exceptions, which other languages throw from anywhere. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void rethrow(Throwable failure) throws T {
        throw (T) failure;
    }

    int size() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }

    /** One registration: the same listener may be registered twice. */
    private static final class Entry {
        private final Runnable listener;

        Entry(Runnable listener) {
            this.listener = listener;
        }
    }
}
