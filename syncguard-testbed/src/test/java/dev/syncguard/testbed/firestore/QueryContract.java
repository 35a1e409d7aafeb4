package dev.syncguard.testbed.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.Blob;
import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.Query.Direction;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What queries of the official client find. */
abstract class QueryContract {

    private CollectionReference collection;

    abstract FirestoreContract contract();

    private FirestoreUnderTest server() {
        return contract().server();
    }

    @BeforeEach
    void unusedCollection() {
        collection = server().collection();
    }

    private void put(String id, Object value) throws Exception {
        Map<String, Object> fields = new HashMap<>();
        fields.put("v", value);
        collection.document(id).set(fields).get();
    }

    private static List<String> ids(Query query) throws Exception {
        return query.get().get().getDocuments().stream()
                .map(QueryDocumentSnapshot::getId)
                .toList();
    }

    @Test
    @DisplayName("equality and ranges, by type")
    void filters() throws Exception {
        put("one", 1);
        put("two", 2);
        put("two-and-half", 2.5);
        put("text", "2");
        put("null", null);
        collection.document("without").set(Map.of("w", 1)).get();

        assertThat(ids(collection.whereEqualTo("v", 2.0))).containsExactly("two");
        assertThat(ids(collection.whereEqualTo("v", null))).containsExactly("null");
        assertThat(ids(collection.whereGreaterThan("v", 1))).containsExactly("two", "two-and-half");
        assertThat(ids(collection.whereLessThanOrEqualTo("v", 2))).containsExactly("one", "two");
        assertThat(ids(collection.whereGreaterThanOrEqualTo("v", 2).whereLessThan("v", 2.5)))
                .containsExactly("two");
        assertThat(ids(collection.whereIn("v", List.of(1, "2")))).containsExactlyInAnyOrder("one", "text");
        assertThat(ids(collection.whereNotEqualTo("v", 2))).containsExactly("one", "two-and-half", "text");
        assertThat(ids(collection.whereEqualTo("v", "none"))).isEmpty();
    }

    @Test
    @DisplayName("values of all types are in order")
    void order() throws Exception {
        DocumentReference reference = collection.document("r");
        List<Object> ordered = Arrays.asList(
                null,
                false,
                true,
                Double.NaN,
                Double.NEGATIVE_INFINITY,
                Long.MIN_VALUE,
                -1.5,
                0,
                0.5,
                9007199254740993L,
                Long.MAX_VALUE,
                Double.POSITIVE_INFINITY,
                Timestamp.ofTimeSecondsAndNanos(1, 0),
                Timestamp.ofTimeSecondsAndNanos(1, 1000),
                "",
                "Z",
                "a",
                "aa",
                "ä",
                "\uFFFD",
                "😀",
                Blob.fromBytes(new byte[] {}),
                Blob.fromBytes(new byte[] {1}),
                Blob.fromBytes(new byte[] {-1}),
                reference,
                collection.document("s"),
                List.of(),
                List.of(1),
                List.of(1, 2),
                List.of(2),
                Map.of(),
                Map.of("a", 1),
                Map.of("a", 2),
                Map.of("b", 0));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < ordered.size(); i++) {
            names.add("d" + (100 + (i * 37) % 97));
            put(names.get(i), ordered.get(i));
        }
        assertThat(ids(collection.orderBy("v"))).isEqualTo(names);
        Collections.reverse(names);
        assertThat(ids(collection.orderBy("v", Direction.DESCENDING))).isEqualTo(names);
    }

    @Test
    @DisplayName("pages by name")
    void pagesByName() throws Exception {
        for (String id : List.of("b", "a", "B", "ä", "c")) {
            put(id, 1);
        }
        Query byName = collection.orderBy(FieldPath.documentId());
        assertThat(ids(byName)).containsExactly("B", "a", "b", "c", "ä");
        assertThat(ids(byName.startAfter("a").limit(2))).containsExactly("b", "c");
        assertThat(ids(byName.startAt("a").endBefore("c"))).containsExactly("a", "b");
        assertThatThrownBy(() -> ids(byName.limitToLast(2))).hasMessageContaining("FAILED_PRECONDITION");
        assertThat(ids(byName.offset(3))).containsExactly("c", "ä");
        assertThat(ids(collection
                        .whereGreaterThan(FieldPath.documentId(), "a")
                        .whereLessThan(FieldPath.documentId(), "c")))
                .containsExactly("b");
        assertThat(ids(collection.whereEqualTo(FieldPath.documentId(), "c"))).containsExactly("c");
    }

    @Test
    @DisplayName("pages by a field and the name")
    void pagesByField() throws Exception {
        put("a", 2);
        put("b", 1);
        put("c", 2);
        put("d", 3);
        Query byValue = collection.orderBy("v").orderBy(FieldPath.documentId());
        assertThat(ids(byValue)).containsExactly("b", "a", "c", "d");
        assertThat(ids(byValue.startAfter(2, "a"))).containsExactly("c", "d");
        assertThat(ids(collection.orderBy("v").startAfter(2))).containsExactly("d");
        assertThat(ids(collection
                        .orderBy("v")
                        .startAfter(collection.document("a").get().get())))
                .containsExactly("c", "d");
        assertThat(ids(collection.orderBy("v", Direction.DESCENDING).limit(2))).containsExactly("d", "c");
        assertThat(ids(collection.orderBy("v").limitToLast(2))).containsExactly("c", "d");
    }

    @Test
    @DisplayName("a query sees its own collection only, unless it asks for descendants")
    void collections() throws Exception {
        put("a", 1);
        CollectionReference inner = collection.document("a").collection(collection.getId());
        inner.document("b").set(Map.of("v", 1)).get();
        server().client
                .collection(collection.getId() + "0")
                .document("c")
                .set(Map.of("v", 1))
                .get();

        assertThat(ids(collection)).containsExactly("a");
        assertThat(ids(inner)).containsExactly("b");
        assertThat(ids(server().client.collectionGroup(collection.getId()))).containsExactly("a", "b");
    }

    @Test
    @DisplayName("arrays are searched")
    void arrays() throws Exception {
        put("a", List.of(1, 2));
        put("b", List.of(2, 3));
        assertThat(ids(collection.whereArrayContains("v", 1))).containsExactly("a");
        assertThat(ids(collection.whereArrayContainsAny("v", List.of(1, 3)))).containsExactly("a", "b");
    }

    @Test
    @DisplayName("selected fields only; counts; listed references")
    void shapes() throws Exception {
        collection.document("a").set(Map.of("v", 1, "w", 2)).get();
        put("b", 2);

        assertThat(collection.select("w").get().get().getDocuments().get(0).getData())
                .isEqualTo(Map.of("w", 2L));
        assertThat(collection.whereEqualTo("v", 2).count().get().get().getCount())
                .isEqualTo(1);
        assertThat(collection.limit(1).count().get().get().getCount()).isEqualTo(1);
        List<String> listed = new ArrayList<>();
        collection.listDocuments().forEach(reference -> listed.add(reference.getId()));
        assertThat(listed).containsExactly("a", "b");
    }

    @Test
    @DisplayName("a transaction sees and counts query results")
    void inTransaction() throws Exception {
        put("a", 1);
        put("b", 1);
        Query ones = collection.whereEqualTo("v", 1);
        List<Object> seen = server().client
                .runTransaction(transaction -> List.<Object>of(
                        transaction.get(ones).get().size(),
                        transaction.get(ones.count()).get().getCount()))
                .get();
        assertThat(seen).containsExactly(2, 2L);
    }
}
