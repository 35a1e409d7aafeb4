package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentChange;
import com.google.firestore.v1.DocumentDelete;
import com.google.firestore.v1.DocumentRemove;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** What one target of a listener has been shown, and what it is to be told next. */
final class WatchTarget {

    private final ResourceRoot root;
    private final int id;
    private final Function<Snapshot, List<Document>> results;
    private Map<String, Document> shown = new LinkedHashMap<>();

    WatchTarget(ResourceRoot root, Target target) {
        this.root = root;
        this.id = target.getTargetId();
        this.results = results(root, target);
        // Documents that are asked for by name are reported even if they are missing from the start.
        target.getDocuments().getDocumentsList().forEach(name -> shown.put(name, Document.getDefaultInstance()));
    }

    private static Function<Snapshot, List<Document>> results(ResourceRoot root, Target target) {
        if (target.hasQuery()) {
            Query query = new Query(
                    root.relative(target.getQuery().getParent()),
                    target.getQuery().getStructuredQuery());
            return snapshot -> snapshot.run(query).stream().map(query::project).toList();
        }
        List<DocumentName> names = target.getDocuments().getDocumentsList().stream()
                .map(name -> DocumentName.parse(root, name))
                .toList();
        return snapshot ->
                names.stream().map(snapshot::get).filter(Objects::nonNull).toList();
    }

    /** The difference to what was shown before. */
    List<ListenResponse> refresh(ReadView view) {
        Map<String, Document> now = new LinkedHashMap<>();
        results.apply(view.snapshot()).forEach(document -> now.put(document.getName(), document));
        List<ListenResponse> messages = new ArrayList<>();
        shown.keySet().stream().filter(name -> !now.containsKey(name)).forEach(name -> messages.add(gone(name, view)));
        now.values().stream()
                .filter(document -> !document.equals(shown.get(document.getName())))
                .forEach(document -> messages.add(changed(document)));
        shown = now;
        return messages;
    }

    private ListenResponse changed(Document document) {
        return ListenResponse.newBuilder()
                .setDocumentChange(
                        DocumentChange.newBuilder().setDocument(document).addTargetIds(id))
                .build();
    }

    private ListenResponse gone(String name, ReadView view) {
        ListenResponse.Builder message = ListenResponse.newBuilder();
        if (view.snapshot().get(DocumentName.parse(root, name)) == null) {
            message.setDocumentDelete(DocumentDelete.newBuilder()
                    .setDocument(name)
                    .addRemovedTargetIds(id)
                    .setReadTime(view.time()));
        } else {
            message.setDocumentRemove(DocumentRemove.newBuilder()
                    .setDocument(name)
                    .addRemovedTargetIds(id)
                    .setReadTime(view.time()));
        }
        return message.build();
    }
}
