package dev.syncguard.firestore;

import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.support.FirestoreNames;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Live locks in the order of their document ids, which never change: a lock that stays cannot slip from one page to
 * another. A cursor is the id of the last document seen.
 */
record FirestoreListing(FirestoreCollections collections, FirestoreCalls calls) implements LockListing {

    @Override
    public Page list(Optional<String> cursor, int limit, AbortSignal signal) {
        LockListing.checkedLimit(limit);
        Query page = page(cursor, limit);
        return FirestoreCalls.await(
                calls.read(page::get, Reading::of, (reading, moment) -> page(reading, moment, limit), signal));
    }

    private Query page(Optional<String> cursor, int limit) {
        Query ordered = collections.locks().orderBy(FieldPath.documentId()).limit(limit);
        if (cursor.isEmpty()) {
            return ordered;
        }
        if (!FirestoreNames.isLegal(cursor.get())) {
            throw new LockException(Code.INVALID_ARGUMENT, "this cursor leads nowhere: list from the start");
        }
        return ordered.startAfter(cursor.get());
    }

    private static Page page(Reading reading, Moment moment, int limit) {
        List<QueryDocumentSnapshot> found = reading.found();
        List<StoredLock> live =
                found.stream().flatMap(document -> live(document, moment)).toList();
        Optional<String> next = found.size() < limit
                ? Optional.empty()
                : Optional.of(found.get(limit - 1).getId());
        return new Page(live, next);
    }

    /** What is no lock of ours is left out. */
    private static Stream<StoredLock> live(QueryDocumentSnapshot document, Moment moment) {
        try {
            return FirestoreAsync.live(LockDocument.of(document), moment).stream();
        } catch (LockException e) {
            return Stream.empty();
        }
    }
}
