package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.tck.StoreProbe;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** Looks into the documents with the official client. */
record FirestoreProbe(Firestore firestore) implements StoreProbe {

    DocumentReference lock(String key) {
        return firestore.collection("locks").document(id(key));
    }

    DocumentReference counter(String key) {
        return firestore.collection("fence_counters").document("fence:" + id(key));
    }

    /** The rule A10 in the probe's own words. */
    private static String id(String key) {
        return key.contains("/") || key.matches("\\.{1,2}|__.*__") ? StorageKeys.hash(key) : key;
    }

    static <T> T get(ApiFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Optional<StoredLock> stored(String key) {
        DocumentSnapshot lock = get(lock(key).get());
        return lock.exists() ? Optional.of(lock(lock)) : Optional.empty();
    }

    private static StoredLock lock(DocumentSnapshot lock) {
        return new StoredLock(
                lock.getString("key"),
                LockId.parse(lock.getString("lockId")),
                lock.getLong("acquiredAtMs"),
                lock.getLong("expiresAtMs"),
                Fence.parse(lock.getString("fence")));
    }

    @Override
    public void expire(String key) {
        expireAgo(key, Duration.ofMinutes(1));
    }

    @Override
    public void expireAgo(String key, Duration ago) {
        get(lock(key).update("expiresAtMs", nowMs() - ago.toMillis()));
    }

    @Override
    public long fenceCounter(String key) {
        DocumentSnapshot counter = get(counter(key).get());
        return counter.exists() ? Long.parseLong(counter.getString("fence")) : 0;
    }

    @Override
    public void setFenceCounter(String key, long value) {
        get(counter(key).set(Map.of("fence", String.format("%015d", value))));
    }

    @Override
    public long nowMs() {
        return System.currentTimeMillis();
    }
}
