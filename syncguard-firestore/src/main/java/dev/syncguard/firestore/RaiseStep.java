package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.DocumentSnapshot;
import dev.syncguard.Fence;
import dev.syncguard.LockKey;
import dev.syncguard.spi.FenceLimits;

/** Lifts a fence counter, also a damaged one, and never lowers it (FNC-6). */
record RaiseStep(FirestoreCollections collections, LockKey key, Fence atLeast) implements Step<Fence> {

    @Override
    public ApiFuture<Reading> read() {
        return Reading.documents(collections.counter(key));
    }

    @Override
    public Fence decide(Reading reading, Moment moment, ConditionalWrites writes) {
        DocumentSnapshot read = reading.documents().get(0);
        long stored = CounterDocument.read(read);
        if (stored >= atLeast.value()) {
            return FenceLimits.counter(stored);
        }
        CounterDocument.write(writes, read, atLeast);
        return atLeast;
    }
}
