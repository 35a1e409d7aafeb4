package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * The transactions that have not ended, answered or not. One that never ends keeps what it read locked until the service
 * gives it up, a minute later: a refused caller that is gone at once would keep the holder from releasing.
 */
final class OpenTransactions {

    private final Set<ApiFuture<?>> open = ConcurrentHashMap.newKeySet();

    <T> ApiFuture<T> add(ApiFuture<T> transaction) {
        open.add(transaction);
        transaction.addListener(() -> open.remove(transaction), MoreExecutors.directExecutor());
        return transaction;
    }

    /** Waits until those of now have ended, or the time is up. */
    void awaitEnd(Duration limit) {
        List<ApiFuture<?>> now = List.copyOf(open);
        CountDownLatch left = new CountDownLatch(now.size());
        now.forEach(transaction -> transaction.addListener(left::countDown, MoreExecutors.directExecutor()));
        boolean unused = Uninterruptibles.awaitUninterruptibly(left, limit);
    }
}
