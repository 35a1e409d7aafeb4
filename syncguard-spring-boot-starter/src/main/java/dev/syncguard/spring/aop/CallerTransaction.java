package dev.syncguard.spring.aop;

import dev.syncguard.Lease;
import dev.syncguard.SyncGuard;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Locks that are taken inside of a transaction of the caller. What the method writes is not there for others before that
 * commits, so the lock is kept until then. The transaction has each key once: a second call uses the same lease.
 */
final class CallerTransaction implements TransactionSynchronization {

    /** A key of a guard. */
    private record Key(SyncGuard guard, String key) {}

    private final Key key;
    private final Lease lease;
    private final boolean releaseOnFailure;

    private CallerTransaction(Key key, Lease lease, boolean releaseOnFailure) {
        this.key = key;
        this.lease = lease;
        this.releaseOnFailure = releaseOnFailure;
    }

    static boolean isActive() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    static Lease lease(Call call, String name) {
        Key key = new Key(call.guard(), name);
        if (TransactionSynchronizationManager.getResource(key) instanceof Lease held) {
            held.ensureValid();
            return held;
        }
        Lease lease = call.guard().acquire(name, call.options());
        try {
            TransactionSynchronizationManager.registerSynchronization(
                    new CallerTransaction(key, lease, call.options().isReleaseOnFailure()));
            TransactionSynchronizationManager.bindResource(key, lease);
        } catch (Throwable e) {
            lease.close();
            throw e;
        }
        return lease;
    }

    /** A transaction whose lock was lost must not commit: another holder may have read what it is about to change. */
    @Override
    public void beforeCommit(boolean readOnly) {
        if (lease.wasLost()) {
            lease.ensureValid();
        }
    }

    @Override
    public void afterCompletion(int status) {
        TransactionSynchronizationManager.unbindResourceIfPossible(key);
        if (releaseOnFailure && status == STATUS_ROLLED_BACK) {
            lease.waiveHoldAtLeast();
        }
        lease.close();
    }
}
