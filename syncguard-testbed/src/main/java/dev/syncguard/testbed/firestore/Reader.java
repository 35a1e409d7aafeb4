package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.AggregationResult;
import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.GetDocumentRequest;
import com.google.firestore.v1.ListDocumentsRequest;
import com.google.firestore.v1.ListDocumentsResponse;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunAggregationQueryResponse;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.StructuredAggregationQuery;
import com.google.firestore.v1.StructuredAggregationQuery.Aggregation;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers the calls that read. */
final class Reader {

    private final ResourceRoot root;
    private final Database database;

    Reader(ResourceRoot root, Database database) {
        this.root = root;
        this.database = database;
    }

    Document get(GetDocumentRequest request) {
        DocumentName name = DocumentName.parse(root, request.getName());
        return database.read(Consistency.of(request), view -> Optional.ofNullable(view.get(name)))
                .map(document -> Fields.project(document, request.hasMask(), request.getMask()))
                .orElseThrow(() -> Errors.notFound("Document \"" + request.getName() + "\" not found."));
    }

    /** All on one page; documents that are missing but have children are left out. */
    ListDocumentsResponse list(ListDocumentsRequest request) {
        StructuredQuery all = StructuredQuery.newBuilder()
                .addFrom(CollectionSelector.newBuilder().setCollectionId(request.getCollectionId()))
                .build();
        Query query = new Query(root.relative(request.getParent()), all);
        List<Document> documents = database.read(Consistency.of(request), view -> view.run(query));
        return ListDocumentsResponse.newBuilder()
                .addAllDocuments(documents.stream()
                        .map(document -> Fields.project(document, request.hasMask(), request.getMask()))
                        .toList())
                .build();
    }

    List<BatchGetDocumentsResponse> get(BatchGetDocumentsRequest request) {
        root.check(request.getDatabase());
        request.getDocumentsList().forEach(name -> DocumentName.parse(root, name));
        return database.read(Consistency.of(request), view -> get(request, view));
    }

    private List<BatchGetDocumentsResponse> get(BatchGetDocumentsRequest request, ReadView view) {
        List<BatchGetDocumentsResponse> responses = new ArrayList<>();
        if (!view.begun().isEmpty()) {
            responses.add(BatchGetDocumentsResponse.newBuilder()
                    .setTransaction(view.begun())
                    .build());
        }
        for (String name : request.getDocumentsList()) {
            Document document = view.get(DocumentName.parse(root, name));
            BatchGetDocumentsResponse.Builder response =
                    BatchGetDocumentsResponse.newBuilder().setReadTime(view.time());
            responses.add((document == null
                            ? response.setMissing(name)
                            : response.setFound(Fields.project(document, request.hasMask(), request.getMask())))
                    .build());
        }
        return responses;
    }

    List<RunQueryResponse> run(RunQueryRequest request) {
        Query query = new Query(root.relative(request.getParent()), request.getStructuredQuery());
        return database.read(Consistency.of(request), view -> run(query, view));
    }

    private static List<RunQueryResponse> run(Query query, ReadView view) {
        List<RunQueryResponse> responses = new ArrayList<>();
        if (!view.begun().isEmpty()) {
            responses.add(
                    RunQueryResponse.newBuilder().setTransaction(view.begun()).build());
        }
        for (Document document : view.run(query)) {
            responses.add(RunQueryResponse.newBuilder()
                    .setDocument(query.project(document))
                    .setReadTime(view.time())
                    .build());
        }
        int last = responses.size() - 1;
        if (last >= 0 && responses.get(last).hasDocument()) {
            responses.set(last, responses.get(last).toBuilder().setDone(true).build());
        } else {
            responses.add(RunQueryResponse.newBuilder()
                    .setReadTime(view.time())
                    .setDone(true)
                    .build());
        }
        return responses;
    }

    RunAggregationQueryResponse count(RunAggregationQueryRequest request) {
        StructuredAggregationQuery text = request.getStructuredAggregationQuery();
        Query query = new Query(root.relative(request.getParent()), text.getStructuredQuery());
        return database.read(Consistency.of(request), view -> {
            AggregationResult.Builder result = AggregationResult.newBuilder();
            long found = view.run(query).size();
            text.getAggregationsList()
                    .forEach(aggregation ->
                            result.putAggregateFields(aggregation.getAlias(), count(found, aggregation)));
            return RunAggregationQueryResponse.newBuilder()
                    .setResult(result)
                    .setTransaction(view.begun())
                    .setReadTime(view.time())
                    .build();
        });
    }

    private static Value count(long found, Aggregation aggregation) {
        if (!aggregation.hasCount()) {
            throw Errors.unimplemented("sum and average");
        }
        Aggregation.Count count = aggregation.getCount();
        long counted = count.hasUpTo() ? Math.min(found, count.getUpTo().getValue()) : found;
        return Value.newBuilder().setIntegerValue(counted).build();
    }
}
