package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.BatchWriteRequest;
import com.google.firestore.v1.BatchWriteResponse;
import com.google.firestore.v1.BeginTransactionRequest;
import com.google.firestore.v1.BeginTransactionResponse;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.GetDocumentRequest;
import com.google.firestore.v1.ListDocumentsRequest;
import com.google.firestore.v1.ListDocumentsResponse;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.RollbackRequest;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunAggregationQueryResponse;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.function.Supplier;

/** The calls that clients make. They may block, so they must not run on the threads that serve connections. */
final class FirestoreService extends FirestoreGrpc.FirestoreImplBase {

    private final ResourceRoot root;
    private final Database database;
    private final Reader reader;

    FirestoreService(String projectId, Database database) {
        this.root = new ResourceRoot(projectId);
        this.database = database;
        this.reader = new Reader(root, database);
    }

    @Override
    public void beginTransaction(BeginTransactionRequest request, StreamObserver<BeginTransactionResponse> out) {
        reply(out, () -> {
            root.check(request.getDatabase());
            return BeginTransactionResponse.newBuilder()
                    .setTransaction(database.begin(request.getOptions()))
                    .build();
        });
    }

    @Override
    public void rollback(RollbackRequest request, StreamObserver<Empty> out) {
        reply(out, () -> {
            root.check(request.getDatabase());
            database.rollback(request.getTransaction());
            return Empty.getDefaultInstance();
        });
    }

    @Override
    public void commit(CommitRequest request, StreamObserver<CommitResponse> out) {
        reply(out, () -> {
            root.check(request.getDatabase());
            return database.commit(request.getTransaction(), operations(request.getWritesList()));
        });
    }

    @Override
    public void batchWrite(BatchWriteRequest request, StreamObserver<BatchWriteResponse> out) {
        reply(out, () -> {
            root.check(request.getDatabase());
            BatchWriteResponse.Builder response = BatchWriteResponse.newBuilder();
            operations(request.getWritesList()).forEach(write -> writeAlone(write, response));
            return response.build();
        });
    }

    private void writeAlone(WriteOperation write, BatchWriteResponse.Builder response) {
        com.google.rpc.Status.Builder status = response.addStatusBuilder();
        try {
            response.addWriteResults(
                    database.commit(ByteString.EMPTY, List.of(write)).getWriteResults(0));
        } catch (StatusRuntimeException e) {
            response.addWriteResultsBuilder();
            status.setCode(e.getStatus().getCode().value())
                    .setMessage(String.valueOf(e.getStatus().getDescription()));
        }
    }

    private List<WriteOperation> operations(List<Write> writes) {
        return writes.stream().map(write -> WriteOperation.of(root, write)).toList();
    }

    @Override
    public void getDocument(GetDocumentRequest request, StreamObserver<Document> out) {
        reply(out, () -> reader.get(request));
    }

    @Override
    public void listDocuments(ListDocumentsRequest request, StreamObserver<ListDocumentsResponse> out) {
        reply(out, () -> reader.list(request));
    }

    @Override
    public void batchGetDocuments(BatchGetDocumentsRequest request, StreamObserver<BatchGetDocumentsResponse> out) {
        replyAll(out, () -> reader.get(request));
    }

    @Override
    public void runQuery(RunQueryRequest request, StreamObserver<RunQueryResponse> out) {
        replyAll(out, () -> reader.run(request));
    }

    @Override
    public void runAggregationQuery(
            RunAggregationQueryRequest request, StreamObserver<RunAggregationQueryResponse> out) {
        reply(out, () -> reader.count(request));
    }

    @Override
    public StreamObserver<ListenRequest> listen(StreamObserver<ListenResponse> out) {
        return new WatchStream(root, database, (ServerCallStreamObserver<ListenResponse>) out);
    }

    private static <T> void reply(StreamObserver<T> out, Supplier<T> body) {
        replyAll(out, () -> List.of(body.get()));
    }

    private static <T> void replyAll(StreamObserver<T> out, Supplier<List<T>> body) {
        List<T> replies;
        try {
            replies = body.get();
        } catch (StatusRuntimeException e) {
            out.onError(e);
            return;
        }
        replies.forEach(out::onNext);
        out.onCompleted();
    }
}
