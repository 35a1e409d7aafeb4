package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.Document;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One state of the documents.
 *
 * @param documents by name
 */
record Snapshot(NavigableMap<DocumentName, Document> documents) {

    @Nullable
    Document get(DocumentName name) {
        return documents.get(name);
    }

    /** Everything whose name begins so, in the order of names. */
    Stream<Map.Entry<DocumentName, Document>> below(List<String> scope) {
        return documents.tailMap(new DocumentName(scope)).entrySet().stream()
                .takeWhile(entry -> entry.getKey().startsWith(scope));
    }

    List<Document> run(Query query) {
        return query.results(below(query.scope())
                .filter(entry -> query.matches(entry.getKey(), entry.getValue()))
                .map(Map.Entry::getValue));
    }
}
