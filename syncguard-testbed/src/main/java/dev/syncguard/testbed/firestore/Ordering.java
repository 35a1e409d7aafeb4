package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.Cursor;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.Direction;
import com.google.firestore.v1.StructuredQuery.FieldFilter;
import com.google.firestore.v1.StructuredQuery.Filter;
import com.google.firestore.v1.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The order of a query's results: as asked for, then by the fields of range filters, then by name.
 *
 * @param keys what is compared, in turn
 */
record Ordering(List<Key> keys) implements Comparator<Document> {

    private static final Set<FieldFilter.Operator> EXACT = EnumSet.of(
            FieldFilter.Operator.EQUAL,
            FieldFilter.Operator.IN,
            FieldFilter.Operator.ARRAY_CONTAINS,
            FieldFilter.Operator.ARRAY_CONTAINS_ANY);

    record Key(String path, boolean descending) {

        int compare(Value a, Value b) {
            return descending ? Values.compare(b, a) : Values.compare(a, b);
        }
    }

    static Ordering of(StructuredQuery query) {
        List<Key> keys = new ArrayList<>();
        query.getOrderByList()
                .forEach(order -> keys.add(
                        new Key(order.getField().getFieldPath(), order.getDirection() == Direction.DESCENDING)));
        boolean descending = !keys.isEmpty() && keys.get(keys.size() - 1).descending();
        Set<String> implied = new TreeSet<>();
        rangeFields(query.getWhere(), implied);
        implied.stream().filter(path -> !has(keys, path)).forEach(path -> keys.add(new Key(path, descending)));
        if (!has(keys, Fields.NAME)) {
            keys.add(new Key(Fields.NAME, descending));
        }
        if (keys.equals(List.of(new Key(Fields.NAME, true)))) {
            throw Errors.failedPrecondition("Descending order by name alone needs an index.");
        }
        return new Ordering(List.copyOf(keys));
    }

    private static boolean has(List<Key> keys, String path) {
        return keys.stream().anyMatch(key -> key.path().equals(path));
    }

    private static void rangeFields(Filter filter, Set<String> found) {
        filter.getCompositeFilter().getFiltersList().forEach(part -> rangeFields(part, found));
        FieldFilter field = filter.getFieldFilter();
        if (filter.hasFieldFilter()
                && !EXACT.contains(field.getOp())
                && !field.getField().getFieldPath().equals(Fields.NAME)) {
            found.add(field.getField().getFieldPath());
        }
    }

    /** A document that lacks a field of the order is not in the results. */
    boolean covers(Document document) {
        return keys.stream().allMatch(key -> Fields.get(document, key.path()).isPresent());
    }

    @Override
    public int compare(Document a, Document b) {
        for (Key key : keys) {
            int order = key.compare(value(a, key), value(b, key));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    boolean isFrom(Document document, Cursor start) {
        int order = compare(document, start);
        return start.getBefore() ? order >= 0 : order > 0;
    }

    boolean isUpTo(Document document, Cursor end) {
        int order = compare(document, end);
        return end.getBefore() ? order < 0 : order <= 0;
    }

    private int compare(Document document, Cursor cursor) {
        if (cursor.getValuesCount() > keys.size()) {
            throw Errors.invalid("A cursor has more values than the order has fields.");
        }
        for (int i = 0; i < cursor.getValuesCount(); i++) {
            int order = keys.get(i).compare(value(document, keys.get(i)), cursor.getValues(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static Value value(Document document, Key key) {
        return Fields.get(document, key.path()).orElseThrow();
    }
}
