package dev.syncguard.internal;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;

/**
 * The last look at a lease before the application has it.
 *
 * <p>A grant is looked at when its reply arrives, but what follows takes time of its own: timers and threads are started, a
 * subscription is closed, the task that completes a stage waits for the application's executor. A short lease may run out, or
 * be lost, meanwhile. So every way to the application looks once more, as its last step that can take long: a blocking
 * acquire on its caller's thread when it has left its line, an asynchronous one in the task that completes the stage, in which
 * a body without a thread begins, too. A pause after that cannot be excluded by anyone: the store's fences are for it.
 */
final class LastLook {

    private LastLook() {}

    /**
     * Gives the lease back and throws, unless it may be relied on.
     *
     * @param waited whether it has waited for a thread since it arrived: then the machine may have been suspended, too
     */
    static void at(LeaseHandle lease, boolean waited) {
        boolean believed = false;
        try {
            believed = waited ? lease.state().isBelieved() : lease.state().isStillBelieved();
        } finally {
            if (!believed) {
                var unused = lease.closeUnused();
            }
        }
        if (!believed) {
            LeaseState state = lease.state();
            throw new LockException(
                            Code.NETWORK_TIMEOUT, "the lease had ended before it was delivered", state.loss(null), true)
                    .about(state.key(), state.lockId());
        }
    }
}
