package dev.syncguard.cli.command;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.LockListing.Page;
import dev.syncguard.spi.StoredLock;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Goes through all live locks of a store. */
final class LockPages {

    private static final int PAGE = 500;

    private LockPages() {}

    /** Hands each lock over once, until there is none left or the taker says false. */
    static void each(LockBackend backend, Predicate<StoredLock> taker) {
        LockListing listing = backend.listing()
                .orElseThrow(() -> new LockException(Code.INVALID_ARGUMENT, "this store cannot list its locks"));
        Set<String> seen = new HashSet<>();
        Optional<String> cursor = Optional.empty();
        do {
            Page page = listing.list(cursor, PAGE, AbortSignal.none());
            for (StoredLock lock : page.locks()) {
                if (seen.add(lock.lockId().value()) && !taker.test(lock)) {
                    return;
                }
            }
            cursor = page.next();
        } while (cursor.isPresent());
    }
}
