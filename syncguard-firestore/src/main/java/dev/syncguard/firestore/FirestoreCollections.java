package dev.syncguard.firestore;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Query;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.support.FirestoreNames;

/**
 * Where the documents of a key are.
 *
 * @param mixedFleet whether keys are refused that other languages look for elsewhere
 */
record FirestoreCollections(CollectionReference locks, CollectionReference counters, boolean mixedFleet) {

    static FirestoreCollections of(Firestore firestore, String locks, String counters, boolean mixedFleet) {
        return new FirestoreCollections(firestore.collection(locks), firestore.collection(counters), mixedFleet);
    }

    DocumentReference lock(LockKey key) {
        return locks.document(FirestoreNames.lock(checked(key)));
    }

    DocumentReference counter(LockKey key) {
        return counters.document(FirestoreNames.fence(checked(key)));
    }

    /** The reference client hands the key to Firestore as it is, and a slash makes it the path of another document. */
    private LockKey checked(LockKey key) {
        if (mixedFleet && key.value().indexOf('/') >= 0) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "mixedFleet: clients in other languages keep a key with '/' in another document, so both could hold"
                            + " its lock; use another separator, such as ':'");
        }
        return key;
    }

    /** Without a limit: a second hit is an inconsistency that must be seen. */
    Query withLockId(LockId lockId) {
        return locks.whereEqualTo(LockDocument.LOCK_ID, lockId.value());
    }
}
