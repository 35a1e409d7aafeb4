package dev.syncguard.spring.boot;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockInfo;
import dev.syncguard.LockPage;
import dev.syncguard.SyncGuard;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** The live locks of the store. Read-only, and without keys and lock ids: a lock id is the right to release its lock. */
@Endpoint(id = "locks")
public class LocksEndpoint {

    private static final int MOST = 1000;
    private static final int PAGE = 200;

    private final SyncGuard guard;

    LocksEndpoint(SyncGuard guard) {
        this.guard = guard;
    }

    /**
     * The locks, and what this application does with them.
     *
     * @param backend the kind of the store
     * @param heldLeases how many leases this application holds
     * @param waiters how many of its callers wait
     * @param pendingReleases how many locks it releases in the background
     * @param locks the live locks of the store, of all applications; null if the store cannot list them
     * @param complete whether these are all
     */
    public record Locks(
            String backend,
            int heldLeases,
            int waiters,
            int pendingReleases,
            @Nullable List<Lock> locks,
            boolean complete) {}

    /**
     * A lock.
     *
     * @param keyHash the hash of its key, as in logs
     * @param fence the fence of its grant
     * @param acquiredAt when it was granted, by the clock of the store
     * @param expiresAt when it expires, by the clock of the store
     */
    public record Lock(String keyHash, String fence, Instant acquiredAt, Instant expiresAt) {

        static Lock of(LockInfo info) {
            return new Lock(
                    info.keyHash(),
                    info.fence().toString(),
                    Instant.ofEpochMilli(info.acquiredAtMs()),
                    Instant.ofEpochMilli(info.expiresAtMs()));
        }
    }

    /**
     * Returns the live locks.
     *
     * @return up to 1000 and what comes with the last page
     */
    @ReadOperation
    public Locks locks() {
        List<Lock> found = new ArrayList<>();
        boolean complete = true;
        try {
            String cursor = null;
            do {
                LockPage<LockInfo> page = guard.listing(cursor, PAGE);
                page.locks().forEach(lock -> found.add(Lock.of(lock)));
                cursor = page.next().orElse(null); // may be a key: it stays here
            } while (cursor != null && found.size() < MOST);
            complete = cursor == null;
        } catch (LockException e) {
            if (e.code() == Code.INVALID_ARGUMENT) {
                return describe(null, false);
            }
            throw e;
        }
        return describe(found, complete);
    }

    private Locks describe(@Nullable List<Lock> locks, boolean complete) {
        return new Locks(
                guard.capabilities().backend(),
                guard.heldLeases(),
                guard.waiters(),
                guard.pendingReleases(),
                locks,
                complete);
    }

    /**
     * Returns the lock of a key.
     *
     * @param key the key
     * @return null if it is free, which is a 404
     */
    @ReadOperation
    public @Nullable Lock lock(@Selector String key) {
        return guard.lookup(key).map(Lock::of).orElse(null);
    }
}
