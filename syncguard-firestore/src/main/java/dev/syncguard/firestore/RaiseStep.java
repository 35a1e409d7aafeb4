package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Transaction;
import dev.syncguard.Fence;
import dev.syncguard.spi.FenceLimits;

/** Lifts a fence counter, also a damaged one, and never lowers it (FNC-6). */
record RaiseStep(DocumentReference counter, Fence atLeast) implements Step<Fence> {

    @Override
    public ApiFuture<Reading> read(Transaction transaction) {
        return Reading.documents(transaction, counter);
    }

    @Override
    public Fence decide(Reading reading, Moment moment, Transaction transaction) {
        long stored = CounterDocument.read(reading.documents().get(0));
        if (stored >= atLeast.value()) {
            return FenceLimits.counter(stored);
        }
        CounterDocument.write(transaction, counter, atLeast);
        return atLeast;
    }
}
