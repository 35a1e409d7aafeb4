package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;

/** One atomic step: read, then decide and write. After a conflict it runs again from the start. */
interface Step<T> {

    /** Starts the reads. They lock nothing. */
    ApiFuture<Reading> read();

    /** Decides on what was read, and adds the writes, if any, to those of the commit. */
    T decide(Reading reading, Moment moment, ConditionalWrites writes);
}
