package dev.syncguard.testbed.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.BeginTransactionRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.FirestoreGrpc.FirestoreBlockingStub;
import com.google.firestore.v1.RollbackRequest;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.TransactionOptions;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;

/**
 * A transaction without the client's retries.
 *
 * @param calls the server
 * @param id of the transaction
 */
record RawTransaction(FirestoreBlockingStub calls, ByteString id) {

    static RawTransaction begin(FirestoreBlockingStub calls) {
        return begin(calls, TransactionOptions.getDefaultInstance());
    }

    static RawTransaction begin(FirestoreBlockingStub calls, TransactionOptions options) {
        return new RawTransaction(
                calls,
                calls.beginTransaction(BeginTransactionRequest.newBuilder()
                                .setDatabase(FirestoreUnderTest.DATABASE)
                                .setOptions(options)
                                .build())
                        .getTransaction());
    }

    static RawTransaction beginReadOnly(FirestoreBlockingStub calls) {
        return begin(
                calls,
                TransactionOptions.newBuilder()
                        .setReadOnly(TransactionOptions.ReadOnly.getDefaultInstance())
                        .build());
    }

    RawTransaction retry() {
        return begin(
                calls,
                TransactionOptions.newBuilder()
                        .setReadWrite(TransactionOptions.ReadWrite.newBuilder().setRetryTransaction(id))
                        .build());
    }

    BatchGetDocumentsResponse get(DocumentReference document) {
        return calls.batchGetDocuments(BatchGetDocumentsRequest.newBuilder()
                        .setDatabase(FirestoreUnderTest.DATABASE)
                        .addDocuments(Writes.name(document))
                        .setTransaction(id)
                        .build())
                .next();
    }

    List<RunQueryResponse> run(StructuredQuery query) {
        List<RunQueryResponse> responses = new ArrayList<>();
        calls.runQuery(RunQueryRequest.newBuilder()
                        .setParent(FirestoreUnderTest.DATABASE + "/documents")
                        .setStructuredQuery(query)
                        .setTransaction(id)
                        .build())
                .forEachRemaining(responses::add);
        return responses;
    }

    CommitResponse commit(Write... writes) {
        return Writes.commit(calls, id, writes);
    }

    void rollback() {
        calls.rollback(RollbackRequest.newBuilder()
                .setDatabase(FirestoreUnderTest.DATABASE)
                .setTransaction(id)
                .build());
    }
}
