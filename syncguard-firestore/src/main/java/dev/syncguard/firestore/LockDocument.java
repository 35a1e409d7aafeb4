package dev.syncguard.firestore;

import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldValue;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.StoredLock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A lock and the version of its document that was read. */
record LockDocument(DocumentSnapshot snapshot, StoredLock lock) {

    static final String LOCK_ID = "lockId";
    static final String EXPIRES_AT = "expiresAtMs";

    private static final String ACQUIRED_AT = "acquiredAtMs";
    private static final String KEY = "key";
    private static final String FENCE = "fence";
    private static final String LABEL = "label";

    /** What to write over a document: a label of the holder before goes. */
    static Map<String, Object> fields(StoredLock lock, DocumentSnapshot before) {
        Map<String, Object> fields = new HashMap<>(Map.of(
                LOCK_ID, lock.lockId().value(),
                EXPIRES_AT, lock.expiresAtMs(),
                ACQUIRED_AT, lock.acquiredAtMs(),
                KEY, lock.key(),
                FENCE, lock.fence().toString()));
        if (lock.label() != null) {
            fields.put(LABEL, lock.label());
        } else if (before.contains(LABEL)) {
            fields.put(LABEL, FieldValue.delete());
        }
        return fields;
    }

    /**
     * Reads a document.
     *
     * @return the lock, or empty if there is no document
     * @throws LockException if something else stands there, which is never overwritten (A8)
     */
    static Optional<LockDocument> of(DocumentSnapshot snapshot) {
        if (!snapshot.exists()) {
            return Optional.empty();
        }
        try {
            StoredLock lock = new StoredLock(
                    text(snapshot.get(KEY)),
                    LockId.parse(text(snapshot.get(LOCK_ID))),
                    number(snapshot.get(ACQUIRED_AT)),
                    number(snapshot.get(EXPIRES_AT)),
                    Fence.parse(text(snapshot.get(FENCE))),
                    snapshot.get(LABEL) instanceof String label ? label : null);
            return Optional.of(new LockDocument(snapshot, lock));
        } catch (LockException e) {
            throw new LockException(Code.INTERNAL, "foreign value at the lock's document; it is left as it is", e);
        }
    }

    /**
     * Reads the document of a key.
     *
     * @return the lock, or empty if there is no document
     * @throws LockException if it holds another key: one whose hashed form is this key (K9), and nothing is changed
     */
    static Optional<LockDocument> of(DocumentSnapshot snapshot, LockKey key) {
        Optional<LockDocument> found = of(snapshot);
        if (found.isPresent() && !found.get().lock().key().equals(key.value())) {
            throw new LockException(
                    Code.INTERNAL,
                    "another key is stored at this key's document; use another key, without a hash in it");
        }
        return found;
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text ? text : "";
    }

    /** Clients in other languages may store whole numbers as doubles. */
    private static long number(@Nullable Object value) {
        if (value instanceof Number number && number.doubleValue() == Math.rint(number.doubleValue())) {
            return number.longValue();
        }
        throw new LockException(Code.INTERNAL, "a time is not a whole number");
    }
}
