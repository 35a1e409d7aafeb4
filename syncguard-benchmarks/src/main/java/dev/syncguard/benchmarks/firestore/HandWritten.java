package dev.syncguard.benchmarks.firestore;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Transaction;
import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.benchmarks.harness.Closing;
import dev.syncguard.benchmarks.harness.GuardCandidate;
import dev.syncguard.spi.LockIds;
import java.util.List;
import java.util.Map;

/** What somebody would write who has no library and wants a fence: one transaction to acquire, one to release. */
final class HandWritten implements Candidate {

    private final Firestore firestore;
    private final CollectionReference locks;
    private final CollectionReference counters;

    HandWritten(Firestore firestore) {
        this.firestore = firestore;
        this.locks = firestore.collection("hand");
        this.counters = firestore.collection("hand_counters");
    }

    @Override
    public void locked(String key, Runnable body) throws Exception {
        String lockId = LockIds.random().value();
        boolean granted = firestore
                .runTransaction(transaction -> acquire(transaction, key, lockId))
                .get();
        body.run();
        boolean released = firestore
                .runTransaction(transaction -> release(transaction, lockId))
                .get();
        if (!granted || !released) {
            throw new IllegalStateException("not released");
        }
    }

    private boolean acquire(Transaction transaction, String key, String lockId) throws Exception {
        DocumentReference lock = locks.document(key);
        DocumentReference counter = counters.document(key);
        List<DocumentSnapshot> read = transaction.getAll(lock, counter).get();
        long now = System.currentTimeMillis();
        if (read.get(0).exists() && isLive(read.get(0), now)) {
            return false;
        }
        Long last = read.get(1).getLong("fence");
        long fence = last == null ? 1 : last + 1;
        transaction.set(
                lock, Map.of("lockId", lockId, "fence", fence, "expiresAtMs", now + GuardCandidate.TTL.toMillis()));
        transaction.set(counter, Map.of("fence", fence));
        return true;
    }

    private boolean release(Transaction transaction, String lockId) throws Exception {
        List<? extends DocumentSnapshot> found =
                transaction.get(locks.whereEqualTo("lockId", lockId)).get().getDocuments();
        found.forEach(lock -> transaction.delete(lock.getReference()));
        return found.stream().anyMatch(lock -> isLive(lock, System.currentTimeMillis()));
    }

    private static boolean isLive(DocumentSnapshot lock, long nowMs) {
        Long expiresAtMs = lock.getLong("expiresAtMs");
        return expiresAtMs != null && expiresAtMs > nowMs;
    }

    @Override
    public void close() {
        Closing.unchecked(firestore);
    }
}
