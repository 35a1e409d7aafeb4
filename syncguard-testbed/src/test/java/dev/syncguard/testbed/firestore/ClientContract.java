package dev.syncguard.testbed.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.core.ApiFuture;
import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode;
import com.google.cloud.firestore.BulkWriter;
import com.google.cloud.firestore.BulkWriterException;
import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldMask;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.WriteBatch;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the official client gets. */
abstract class ClientContract {

    private CollectionReference collection;
    private DocumentReference document;

    abstract FirestoreContract contract();

    private FirestoreUnderTest server() {
        return contract().server();
    }

    @BeforeEach
    void unusedDocument() {
        collection = server().collection();
        document = collection.document("d");
    }

    private static void assertRefused(StatusCode.Code code, ApiFuture<?> call) {
        assertThatThrownBy(call::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> assertThat(e.getStatusCode().getCode()).isEqualTo(code));
    }

    @Test
    @DisplayName("documents are created, changed, read and deleted")
    void documents() throws Exception {
        document.create(Map.of("a", 1, "b", Map.of("c", "x", "d", true))).get();
        assertRefused(StatusCode.Code.ALREADY_EXISTS, document.create(Map.of()));

        document.update("b.c", "y", "e", 2.5).get();
        document.set(Map.of("b", Map.of("f", List.of(1, 2))), SetOptions.merge())
                .get();
        document.update("a", FieldValue.delete()).get();

        DocumentSnapshot read = document.get().get();
        assertThat(read.getData()).isEqualTo(Map.of("b", Map.of("c", "y", "d", true, "f", List.of(1L, 2L)), "e", 2.5));
        assertThat(document.get(FieldMask.of("b.c")).get().getData()).isEqualTo(Map.of("b", Map.of("c", "y")));
        document.update(FieldPath.of("with.dot", "`"), 1).get();
        assertThat(document.get().get().get(FieldPath.of("with.dot", "`"))).isEqualTo(1L);

        document.delete().get();
        assertThat(document.get().get().exists()).isFalse();
        assertRefused(StatusCode.Code.NOT_FOUND, document.update("a", 1));
    }

    @Test
    @DisplayName("an update by the time of the last one succeeds once")
    void compareAndSet() throws Exception {
        document.set(Map.of("n", 1)).get();
        Precondition asRead = Precondition.updatedAt(document.get().get().getUpdateTime());
        document.update(Map.of("n", 2), asRead).get();
        assertRefused(StatusCode.Code.FAILED_PRECONDITION, document.update(Map.of("n", 3), asRead));
    }

    @Test
    @DisplayName("the server computes transformed fields")
    void transforms() throws Exception {
        document.set(Map.of("n", 1, "list", List.of("a", "b"), "max", Long.MAX_VALUE))
                .get();
        document.update(Map.of(
                        "n", FieldValue.increment(2),
                        "m", FieldValue.increment(0.5),
                        "max", FieldValue.increment(1),
                        "list", FieldValue.arrayUnion("b", "c"),
                        "t", FieldValue.serverTimestamp()))
                .get();
        document.update("list", FieldValue.arrayRemove("a")).get();

        DocumentSnapshot read = document.get().get();
        assertThat(read.getLong("n")).isEqualTo(3);
        assertThat(read.getDouble("m")).isEqualTo(0.5);
        assertThat(read.getLong("max")).isEqualTo(Long.MAX_VALUE);
        assertThat(read.get("list")).isEqualTo(List.of("b", "c"));
        assertThat(read.getTimestamp("t")).isNotNull();
    }

    @Test
    @DisplayName("a batch is written as a whole or not at all")
    void batch() throws Exception {
        WriteBatch failing = server().client.batch();
        failing.create(document, Map.of("n", 1)).update(collection.document("missing"), "n", 2);
        assertRefused(StatusCode.Code.NOT_FOUND, failing.commit());
        assertThat(document.get().get().exists()).isFalse();

        server().client
                .batch()
                .create(document, Map.of("n", 1))
                .update(document, "n", 2)
                .commit()
                .get();
        assertThat(document.get().get().getLong("n")).isEqualTo(2);
    }

    @Test
    @DisplayName("several documents are read at once, missing ones too")
    void getAll() throws Exception {
        document.set(Map.of("n", 1)).get();
        List<DocumentSnapshot> both =
                server().client.getAll(document, collection.document("missing")).get();
        assertThat(both).extracting(DocumentSnapshot::exists).containsExactly(true, false);
        assertThat(both.get(1).getReadTime()).isEqualTo(both.get(0).getReadTime());
    }

    @Test
    @DisplayName("bulk writes succeed or fail each on its own")
    void bulkWriter() throws Exception {
        BulkWriter writer = server().client.bulkWriter();
        ApiFuture<?> good = writer.create(document, Map.of("n", 1));
        ApiFuture<?> bad = writer.update(collection.document("missing"), "n", 1);
        writer.close();
        good.get();
        assertThatThrownBy(bad::get)
                .cause()
                .isInstanceOfSatisfying(
                        BulkWriterException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
        assertThat(document.get().get().getLong("n")).isEqualTo(1);
    }

    @Test
    @DisplayName("a transaction's read and write cover the same state")
    void transaction() throws Exception {
        String result = server().client
                .runTransaction(transaction -> {
                    List<DocumentSnapshot> read = transaction
                            .getAll(document, collection.document("e"))
                            .get();
                    transaction.create(document, Map.of("n", 1));
                    return read.get(0).exists() + " " + read.get(1).exists();
                })
                .get();
        assertThat(result).isEqualTo("false false");
        assertThat(document.get().get().exists()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", "__x__", "__1__"})
    @DisplayName("reserved ids are refused")
    void reservedIds(String id) {
        assertRefused(StatusCode.Code.INVALID_ARGUMENT, collection.document(id).get());
        assertRefused(StatusCode.Code.INVALID_ARGUMENT, collection.document(id).set(Map.of("n", 1)));
    }

    @Test
    @DisplayName("ids are limited to 1500 bytes of UTF-8")
    void longIds() throws Exception {
        collection.document("ä".repeat(750)).set(Map.of()).get();
        assertRefused(
                StatusCode.Code.INVALID_ARGUMENT,
                collection.document("ä".repeat(750) + "x").set(Map.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"_x_", "__x_", "...", "a b", "ключ", "a.b", "*", "😀"})
    @DisplayName("other ids are fine")
    void fineIds(String id) throws Exception {
        collection.document(id).set(Map.of("n", 1)).get();
        assertThat(collection.get().get().getDocuments().get(0).getId()).isEqualTo(id);
    }
}
