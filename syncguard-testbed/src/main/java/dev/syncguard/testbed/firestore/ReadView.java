package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.Document;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one request reads. In a read-write transaction, reading locks: documents whether they exist or not, and queries
 * with all that could become a result.
 *
 * @param snapshot the state
 * @param time its time
 * @param locker the transaction that locks, if one does
 * @param begun the id of a transaction that began with the request, else empty
 */
record ReadView(Snapshot snapshot, Timestamp time, @Nullable Transaction locker, ByteString begun) {

    static ReadView plain(Snapshot snapshot, Timestamp time) {
        return new ReadView(snapshot, time, null, ByteString.EMPTY);
    }

    @Nullable
    Document get(DocumentName name) {
        if (locker != null) {
            locker.lock(name);
        }
        return snapshot.get(name);
    }

    List<Document> run(Query query) {
        if (locker != null) {
            locker.lock(query);
        }
        return snapshot.run(query);
    }
}
