package dev.syncguard.internal;

import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.spi.LeaseEvent;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a guard does when one of its leases ends. */
final class LeaseReports implements LeaseEvents {

    private final Leases leases;
    private final WaitingRoom room;
    private final Reports reports;
    private final GuardClock clock;
    private final @Nullable Consumer<LockException> onReleaseError;

    LeaseReports(
            Leases leases,
            WaitingRoom room,
            Reports reports,
            GuardClock clock,
            @Nullable Consumer<LockException> onReleaseError) {
        this.leases = leases;
        this.room = room;
        this.reports = reports;
        this.clock = clock;
        this.onReleaseError = onReleaseError;
    }

    @Override
    public void released(LeaseState lease) {
        forget(lease);
        room.released(lease.key());
    }

    /** A lease whose lock stays locked for its minimum is kept: a second release by lock id must not remove the lock. */
    private void forget(LeaseState lease) {
        if (!lease.isKept()) {
            leases.remove(lease);
        }
    }

    @Override
    public void lost(LeaseState lease, LeaseLostException loss) {
        leases.remove(lease);
        reports.event(LeaseEvent.Type.LOST, lease.key(), lease.lockId(), lease.heldNanos(clock.now()), 0, loss);
        reports.warn(loss.getMessage());
    }

    @Override
    public void releaseFails(LeaseState lease, LockException failure, boolean disposal) {
        reports.event(new LeaseEvent(
                LeaseEvent.Type.RELEASE_FAILED,
                lease.key(),
                lease.lockId(),
                lease.heldNanos(clock.now()),
                0,
                failure,
                disposal,
                null));
    }

    @Override
    public void disposalFailed(LeaseState lease, LockException failure) {
        forget(lease);
        Consumer<LockException> handler = lease.options().onReleaseError().orElse(onReleaseError);
        if (handler != null) {
            reports.handler("onReleaseError", () -> handler.accept(failure));
        } else {
            reports.warn("a lock could not be released: " + failure.getMessage());
        }
    }
}
