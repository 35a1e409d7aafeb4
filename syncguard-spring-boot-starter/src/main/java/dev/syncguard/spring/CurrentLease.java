package dev.syncguard.spring;

import dev.syncguard.Lease;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lock of the {@link Locked} or {@link ScheduledLock} method that this thread is in; of the innermost one, if they are
 * nested. Other threads do not see it: hand the lease to them.
 */
public final class CurrentLease {

    private static final ThreadLocal<@Nullable Lease> CURRENT = new ThreadLocal<>();

    private CurrentLease() {}

    /**
     * Returns the lease.
     *
     * @return the lease; its {@link Lease#fence() fence} belongs into what the method writes
     * @throws IllegalStateException if there is none: the method was called on another thread, or not through the bean
     */
    public static Lease get() {
        return find().orElseThrow(() -> new IllegalStateException(
                "this thread is in no method with @Locked or @ScheduledLock; was the method called from inside of its own"
                        + " object, which bypasses the proxy of the bean, or on another thread?"));
    }

    /**
     * Returns the lease, if this thread is in a locked method.
     *
     * @return the lease, or empty
     */
    public static Optional<Lease> find() {
        return Optional.ofNullable(CURRENT.get());
    }

    /**
     * Makes a lease the current one of this thread, as a locked method does: for another thread that works for the method, and
     * for tests of a method without its bean.
     *
     * @param lease the lease
     * @return ends that when it is closed, on the same thread
     */
    public static Scope with(Lease lease) {
        Lease outer = CURRENT.get();
        CURRENT.set(lease);
        return () -> {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        };
    }

    /** The time in which a lease is the current one. */
    public interface Scope extends AutoCloseable {

        @Override
        void close();
    }
}
