package dev.syncguard;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One page of live locks, see {@link SyncGuard#listing}.
 *
 * @param locks the locks of this page; may be empty although more follow
 * @param next the cursor of the next page, or empty at the end; it may be a raw key, so it is not to be logged or shown
 * @param <T> {@link LockInfo}, or {@link RawLockInfo}
 */
public record LockPage<T>(List<T> locks, Optional<String> next) {

    /**
     * Copies the list.
     *
     * @param locks the locks of this page
     * @param next the cursor of the next page
     */
    public LockPage {
        locks = List.copyOf(locks);
    }

    /** Returns what may be logged: not the cursor. */
    @Override
    public String toString() {
        return "LockPage[locks=" + locks + ", hasNext=" + next.isPresent() + "]";
    }

    /** Returns the same page with something else of each lock. */
    <R> LockPage<R> map(Function<T, R> change) {
        return new LockPage<>(locks.stream().map(change).toList(), next);
    }
}
