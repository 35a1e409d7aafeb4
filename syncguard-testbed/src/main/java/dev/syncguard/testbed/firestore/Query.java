package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.StructuredQuery.FieldReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A structured query below one parent. */
final class Query {

    private final List<String> parent;
    private final StructuredQuery text;
    private final CollectionSelector from;
    private final Predicate<Document> filter;
    private final Ordering ordering;

    Query(List<String> parent, StructuredQuery text) {
        if (text.getFromCount() > 1) {
            throw Errors.invalid("A query selects from one collection.");
        }
        this.parent = parent;
        this.text = text;
        this.from = text.getFromCount() == 1 ? text.getFrom(0) : CollectionSelector.getDefaultInstance();
        if (!from.getAllDescendants() || !from.getCollectionId().isEmpty()) {
            DocumentName.checkId(from.getCollectionId());
        }
        this.filter = Filters.of(text.getWhere());
        this.ordering = Ordering.of(text);
    }

    /** All possible results have names that begin so. */
    List<String> scope() {
        if (from.getAllDescendants()) {
            return parent;
        }
        List<String> collection = new ArrayList<>(parent);
        collection.add(from.getCollectionId());
        return collection;
    }

    /** Whether a document is a result, apart from offset and limit: so a lock on this covers a little more than needed. */
    boolean matches(DocumentName name, Document document) {
        return selects(name)
                && filter.test(document)
                && ordering.covers(document)
                && (!text.hasStartAt() || ordering.isFrom(document, text.getStartAt()))
                && (!text.hasEndAt() || ordering.isUpTo(document, text.getEndAt()));
    }

    private boolean selects(DocumentName name) {
        int depth = name.segments().size() - parent.size();
        return (from.getAllDescendants() ? depth > 0 : depth == 2)
                && name.startsWith(parent)
                && (from.getCollectionId().isEmpty() || from.getCollectionId().equals(name.collectionId()));
    }

    /** The results in order, whole. */
    List<Document> results(Stream<Document> matching) {
        Stream<Document> rest = matching.sorted(ordering).skip(text.getOffset());
        return (text.hasLimit() ? rest.limit(text.getLimit().getValue()) : rest).toList();
    }

    Document project(Document document) {
        return text.hasSelect()
                ? Fields.project(
                        document,
                        text.getSelect().getFieldsList().stream()
                                .map(FieldReference::getFieldPath)
                                .toList())
                : document;
    }
}
