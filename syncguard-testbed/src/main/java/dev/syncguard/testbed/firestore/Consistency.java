package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.GetDocumentRequest;
import com.google.firestore.v1.ListDocumentsRequest;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.TransactionOptions;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * Which state a request reads; at most one is given, none means the newest.
 *
 * @param transaction as that transaction sees it
 * @param begin in a transaction that begins with this
 * @param readTime as of a time
 */
record Consistency(
        @Nullable ByteString transaction,
        @Nullable TransactionOptions begin,
        @Nullable Timestamp readTime) {

    static Consistency of(GetDocumentRequest request) {
        return new Consistency(
                request.hasTransaction() ? request.getTransaction() : null,
                null,
                request.hasReadTime() ? request.getReadTime() : null);
    }

    static Consistency of(ListDocumentsRequest request) {
        return new Consistency(
                request.hasTransaction() ? request.getTransaction() : null,
                null,
                request.hasReadTime() ? request.getReadTime() : null);
    }

    static Consistency of(BatchGetDocumentsRequest request) {
        return new Consistency(
                request.hasTransaction() ? request.getTransaction() : null,
                request.hasNewTransaction() ? readOnlyByDefault(request.getNewTransaction()) : null,
                request.hasReadTime() ? request.getReadTime() : null);
    }

    static Consistency of(RunQueryRequest request) {
        return new Consistency(
                request.hasTransaction() ? request.getTransaction() : null,
                request.hasNewTransaction() ? readOnlyByDefault(request.getNewTransaction()) : null,
                request.hasReadTime() ? request.getReadTime() : null);
    }

    static Consistency of(RunAggregationQueryRequest request) {
        return new Consistency(
                request.hasTransaction() ? request.getTransaction() : null,
                request.hasNewTransaction() ? readOnlyByDefault(request.getNewTransaction()) : null,
                request.hasReadTime() ? request.getReadTime() : null);
    }

    /** Unlike one that begins on its own. */
    private static TransactionOptions readOnlyByDefault(TransactionOptions options) {
        return options.hasReadWrite()
                ? options
                : TransactionOptions.newBuilder()
                        .setReadOnly(options.getReadOnly())
                        .build();
    }
}
