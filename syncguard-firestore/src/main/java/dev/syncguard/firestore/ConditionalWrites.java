package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.WriteBatch;
import com.google.cloud.firestore.WriteResult;
import java.util.List;
import java.util.Map;

/**
 * The writes of one commit. Each of them holds only for the version of its document that was read; if one document has
 * changed, nothing is written.
 */
final class ConditionalWrites {

    private final WriteBatch batch;
    private final boolean afterConflict;

    ConditionalWrites(WriteBatch batch, boolean afterConflict) {
        this.batch = batch;
        this.afterConflict = afterConflict;
    }

    /**
     * Returns whether an earlier commit of the same step met a conflict. The client sends a commit again by itself when the
     * connection breaks, so that conflict may be with this step's own first commit.
     */
    boolean isAfterConflict() {
        return afterConflict;
    }

    /** Creates the document, or sets these fields of it and leaves others alone. */
    void put(DocumentSnapshot read, Map<String, Object> fields) {
        Timestamp version = read.getUpdateTime();
        if (version == null) {
            batch.create(read.getReference(), fields);
        } else {
            batch.update(read.getReference(), fields, Precondition.updatedAt(version));
        }
    }

    /** Deletes a document that was found. */
    void delete(DocumentSnapshot read) {
        Timestamp version = read.getUpdateTime();
        if (version != null) {
            batch.delete(read.getReference(), Precondition.updatedAt(version));
        }
    }

    boolean isEmpty() {
        return batch.getMutationsSize() == 0;
    }

    ApiFuture<List<WriteResult>> commit() {
        return batch.commit();
    }
}
