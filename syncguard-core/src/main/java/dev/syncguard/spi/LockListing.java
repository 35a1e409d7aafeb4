package dev.syncguard.spi;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.List;
import java.util.Optional;

/** Lists the live locks of a store, page by page. */
public interface LockListing {

    /**
     * Returns one page. Locks that come or go while paging may or may not be in it; a lock that stays is in one at least.
     *
     * @param cursor empty for the first page, then {@link Page#next()} of the last one
     * @param limit roughly how many locks to return, 1 to 10,000
     * @param signal cancels before the request is sent
     * @return the page; it may be empty although more follow
     * @implSpec <b>LST-1</b> Every lock that is live during the whole listing MUST be in one of its pages.
     */
    Page list(Optional<String> cursor, int limit, AbortSignal signal);

    /**
     * Checks a limit, for implementations.
     *
     * @param limit what a caller asked for
     * @return the same number
     * @throws LockException with {@link Code#INVALID_ARGUMENT} unless it is 1 to 10,000
     */
    static int checkedLimit(int limit) {
        if (limit < 1 || limit > 10_000) {
            throw new LockException(Code.INVALID_ARGUMENT, "the limit of a page is 1 to 10,000");
        }
        return limit;
    }

    /**
     * One page of locks.
     *
     * @param locks the locks, raw
     * @param next where the next page starts, or empty at the end; often a raw key
     */
    record Page(List<StoredLock> locks, Optional<String> next) {

        /** Returns what may be logged: not where the next page starts. */
        @Override
        public String toString() {
            return "Page[locks=" + locks + ", hasNext=" + next.isPresent() + "]";
        }
    }
}
