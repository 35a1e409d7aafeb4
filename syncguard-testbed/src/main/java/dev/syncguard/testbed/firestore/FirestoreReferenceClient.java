package dev.syncguard.testbed.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import com.google.cloud.firestore.Transaction;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A client as the specification describes it, on the same documents as this library and without any of its code: what a
 * service in another language does. One transaction of the official client for each operation; documents are read one
 * after the other, whole documents are written, and a key is handed to Firestore as it is.
 */
public final class FirestoreReferenceClient {

    private static final long TOLERANCE_MS = 1000;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Firestore firestore;

    /**
     * Creates a client.
     *
     * @param firestore the official client
     */
    public FirestoreReferenceClient(Firestore firestore) {
        this.firestore = firestore;
    }

    /**
     * A lock as it is stored.
     *
     * @param key the user's key
     * @param lockId who holds it
     * @param expiresAtMs when it expires
     * @param fence 15 digits
     */
    public record Lock(String key, String lockId, long expiresAtMs, String fence) {}

    /**
     * Asks for a key once.
     *
     * @param key the user's key
     * @param ttlMs for how long
     * @return the lock, or empty if the key is locked
     */
    public Optional<Lock> acquire(String key, long ttlMs) {
        byte[] id = new byte[16];
        RANDOM.nextBytes(id);
        String lockId = Base64.getUrlEncoder().withoutPadding().encodeToString(id);
        return Optional.ofNullable(
                get(firestore.runTransaction(transaction -> grant(transaction, key, lockId, ttlMs))));
    }

    private @Nullable Lock grant(Transaction transaction, String key, String lockId, long ttlMs) throws Exception {
        DocumentSnapshot lock = transaction.get(lock(key)).get();
        DocumentSnapshot counter = transaction.get(counter(key)).get();
        long now = System.currentTimeMillis();
        if (isLive(lock, now)) {
            return null;
        }
        long last = counter.exists() ? Long.parseLong(String.valueOf(counter.getString("fence"))) : 0;
        String fence = String.format(Locale.ROOT, "%015d", last + 1);
        transaction.set(
                lock(key),
                Map.of("lockId", lockId, "expiresAtMs", now + ttlMs, "acquiredAtMs", now, "key", key, "fence", fence));
        transaction.set(counter(key), Map.of("fence", fence, "keyDebug", key));
        return new Lock(key, lockId, now + ttlMs, fence);
    }

    /**
     * Releases a lock.
     *
     * @param lockId whose
     * @return whether there was a live one
     */
    public boolean release(String lockId) {
        return get(firestore.runTransaction(transaction -> {
            Optional<QueryDocumentSnapshot> found = own(transaction, lockId);
            boolean live = found.filter(lock -> isLive(lock, System.currentTimeMillis()))
                    .isPresent();
            if (live) {
                transaction.delete(found.get().getReference());
            }
            return live;
        }));
    }

    /**
     * Lets a lock expire one ttl from now, unless it has expired.
     *
     * @param lockId whose
     * @param ttlMs for how long
     * @return whether there was one
     */
    public boolean extend(String lockId, long ttlMs) {
        return get(firestore.runTransaction(transaction -> {
            Optional<QueryDocumentSnapshot> found = own(transaction, lockId);
            long now = System.currentTimeMillis();
            boolean live = found.filter(lock -> now < expiresAtMs(lock)).isPresent();
            if (live) {
                transaction.update(found.get().getReference(), Map.of("expiresAtMs", now + ttlMs));
            }
            return live;
        }));
    }

    /**
     * Returns whether a key is locked.
     *
     * @param key the user's key
     * @return whether it has a live lock
     */
    public boolean isLocked(String key) {
        return find(key).isPresent();
    }

    /**
     * Looks up the lock of a key.
     *
     * @param key the user's key
     * @return the live lock, if there is one
     */
    public Optional<Lock> find(String key) {
        return live(get(lock(key).get()));
    }

    /**
     * Looks up the lock of a lock id.
     *
     * @param lockId whose
     * @return the live lock, if there is one
     */
    public Optional<Lock> findById(String lockId) {
        return get(withLockId(lockId).get()).getDocuments().stream()
                .flatMap(found -> live(found).stream())
                .findFirst();
    }

    private Optional<QueryDocumentSnapshot> own(Transaction transaction, String lockId) throws Exception {
        return transaction.get(withLockId(lockId)).get().getDocuments().stream().findFirst();
    }

    private static Optional<Lock> live(DocumentSnapshot lock) {
        return isLive(lock, System.currentTimeMillis())
                ? Optional.of(new Lock(
                        String.valueOf(lock.getString("key")),
                        String.valueOf(lock.getString("lockId")),
                        expiresAtMs(lock),
                        String.valueOf(lock.getString("fence"))))
                : Optional.empty();
    }

    private static boolean isLive(DocumentSnapshot lock, long nowMs) {
        return lock.exists() && nowMs < expiresAtMs(lock) + TOLERANCE_MS;
    }

    private static long expiresAtMs(DocumentSnapshot lock) {
        Long expiresAtMs = lock.getLong("expiresAtMs");
        return expiresAtMs == null ? 0 : expiresAtMs;
    }

    private DocumentReference lock(String key) {
        return firestore.collection("locks").document(storageKey(key));
    }

    private DocumentReference counter(String key) {
        return firestore.collection("fence_counters").document("fence:" + storageKey(key));
    }

    private Query withLockId(String lockId) {
        return firestore.collection("locks").whereEqualTo("lockId", lockId);
    }

    private static String storageKey(String key) {
        return Normalizer.normalize(key, Normalizer.Form.NFC);
    }

    private static <T> T get(ApiFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
