package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.Transaction;

/** One atomic step: read, then decide and write. A repeated transaction runs it again from the start. */
interface Step<T> {

    /** Starts the reads. */
    ApiFuture<Reading> read(Transaction transaction);

    /** Decides on what was read, and hands the writes, if any, to the transaction. */
    T decide(Reading reading, Moment moment, Transaction transaction);
}
