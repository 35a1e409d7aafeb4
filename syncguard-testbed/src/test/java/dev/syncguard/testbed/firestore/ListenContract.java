package dev.syncguard.testbed.firestore;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentChange;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.ListenerRegistration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What listeners of the official client are told. */
abstract class ListenContract {

    /** Without one the client may call listeners from several threads at once. */
    private static final Executor IN_ORDER = Runnable::run;

    private CollectionReference collection;

    abstract FirestoreContract contract();

    private FirestoreUnderTest server() {
        return contract().server();
    }

    @BeforeEach
    void unusedCollection() {
        collection = server().collection();
    }

    private static void awaitEvents(List<String> seen, String... expected) {
        await().atMost(20, SECONDS).untilAsserted(() -> assertThat(seen).containsExactly(expected));
    }

    @Test
    @DisplayName("a document's listener sees it come, change and go")
    void document() throws Exception {
        DocumentReference document = collection.document("d");
        List<String> seen = new CopyOnWriteArrayList<>();
        ListenerRegistration registration = document.addSnapshotListener(
                IN_ORDER,
                (snapshot, error) -> seen.add(error != null ? error.toString() : String.valueOf(snapshot.getData())));
        awaitEvents(seen, "null");
        collection.document("other").set(Map.of("n", 0)).get();
        document.set(Map.of("n", 1)).get();
        awaitEvents(seen, "null", "{n=1}");
        document.update("n", 2).get();
        awaitEvents(seen, "null", "{n=1}", "{n=2}");
        document.delete().get();
        awaitEvents(seen, "null", "{n=1}", "{n=2}", "null");
        registration.remove();
    }

    @Test
    @DisplayName("a query's listener sees results come, change and go")
    void query() throws Exception {
        collection.document("a").set(Map.of("n", 1)).get();
        List<String> seen = new CopyOnWriteArrayList<>();
        ListenerRegistration registration = collection
                .whereEqualTo("n", 1)
                .addSnapshotListener(IN_ORDER, (snapshot, error) -> {
                    for (DocumentChange change : snapshot.getDocumentChanges()) {
                        seen.add(change.getType() + " " + change.getDocument().getId());
                    }
                });
        awaitEvents(seen, "ADDED a");
        collection.document("b").set(Map.of("n", 1)).get();
        awaitEvents(seen, "ADDED a", "ADDED b");
        collection.document("a").update("m", 1).get();
        awaitEvents(seen, "ADDED a", "ADDED b", "MODIFIED a");
        collection.document("a").update("n", 2).get();
        awaitEvents(seen, "ADDED a", "ADDED b", "MODIFIED a", "REMOVED a");
        collection.document("b").delete().get();
        awaitEvents(seen, "ADDED a", "ADDED b", "MODIFIED a", "REMOVED a", "REMOVED b");
        registration.remove();
    }

    @Test
    @DisplayName("two listeners see the same changes in the same order")
    void two() throws Exception {
        DocumentReference document = collection.document("d");
        List<Long> first = new CopyOnWriteArrayList<>();
        List<Long> second = new CopyOnWriteArrayList<>();
        ListenerRegistration one =
                document.addSnapshotListener(IN_ORDER, (snapshot, error) -> first.add(snapshot.getLong("n")));
        ListenerRegistration other =
                document.addSnapshotListener(IN_ORDER, (snapshot, error) -> second.add(snapshot.getLong("n")));
        await().atMost(20, SECONDS).until(() -> first.size() == 1 && second.size() == 1);
        for (long n = 1; n <= 10; n++) {
            document.set(Map.of("n", n)).get();
        }
        await().atMost(20, SECONDS).until(() -> first.contains(10L) && second.contains(10L));
        assertThat(first.subList(1, first.size())).isSorted();
        assertThat(second.subList(1, second.size())).isSorted();
        one.remove();
        other.remove();
    }
}
