package dev.syncguard.firestore;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Query;
import dev.syncguard.LockId;
import dev.syncguard.spi.FirestoreNames;
import dev.syncguard.spi.LockKey;

/** Where the documents of a key are. */
record FirestoreCollections(CollectionReference locks, CollectionReference counters) {

    static FirestoreCollections of(Firestore firestore, String locks, String counters) {
        return new FirestoreCollections(firestore.collection(locks), firestore.collection(counters));
    }

    DocumentReference lock(LockKey key) {
        return locks.document(FirestoreNames.lock(key));
    }

    DocumentReference counter(LockKey key) {
        return counters.document(FirestoreNames.fence(key));
    }

    /** Without a limit: a second hit is an inconsistency that must be seen. */
    Query withLockId(LockId lockId) {
        return locks.whereEqualTo(LockDocument.LOCK_ID, lockId.value());
    }
}
