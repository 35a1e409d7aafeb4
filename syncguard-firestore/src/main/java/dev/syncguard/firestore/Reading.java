package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import com.google.cloud.firestore.QuerySnapshot;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.List;

/**
 * What a step has read.
 *
 * @param documents the documents that were named
 * @param found the documents that a query found
 * @param readTime the store's time
 */
record Reading(List<DocumentSnapshot> documents, List<QueryDocumentSnapshot> found, Timestamp readTime) {

    static ApiFuture<Reading> documents(DocumentReference... references) {
        return ApiFutures.transform(
                references[0].getFirestore().getAll(references),
                snapshots -> new Reading(snapshots, List.of(), snapshots.get(0).getReadTime()),
                MoreExecutors.directExecutor());
    }

    static ApiFuture<Reading> query(Query query) {
        return ApiFutures.transform(query.get(), Reading::of, MoreExecutors.directExecutor());
    }

    static Reading of(QuerySnapshot snapshot) {
        return new Reading(List.of(), snapshot.getDocuments(), snapshot.getReadTime());
    }

    static Reading of(DocumentSnapshot snapshot) {
        return new Reading(List.of(snapshot), List.of(), snapshot.getReadTime());
    }

    /** Both at the same time. */
    static ApiFuture<Reading> both(ApiFuture<Reading> documents, ApiFuture<Reading> query) {
        return ApiFutures.transform(
                ApiFutures.allAsList(List.of(documents, query)),
                parts -> new Reading(parts.get(0).documents, parts.get(1).found, parts.get(0).readTime),
                MoreExecutors.directExecutor());
    }
}
