package dev.syncguard.internal;

import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;

/** What the parts of a lease tell the guard. Quick, and must not throw. */
interface LeaseEvents {

    /** The store has no lock of this lease any more; waiters of this process may try. */
    void released(LeaseState lease);

    void lost(LeaseState lease, LeaseLostException loss);

    /** A release failed, by hand or at the end of a block; it is repeated in the background. */
    void releaseFails(LeaseState lease, LockException failure, boolean disposal);

    /** A release at the end of a block failed: the holder's handler hears of it. */
    void disposalFailed(LeaseState lease, LockException failure);
}
