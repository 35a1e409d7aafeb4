package dev.syncguard.testbed.firestore;

import static dev.syncguard.testbed.firestore.Writes.delete;
import static dev.syncguard.testbed.firestore.Writes.ifExists;
import static dev.syncguard.testbed.firestore.Writes.ifUpdatedAt;
import static dev.syncguard.testbed.firestore.Writes.set;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import com.google.protobuf.Timestamp;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What single writes answer. */
abstract class WriteContract extends RawContract {

    @Test
    @DisplayName("preconditions on a missing document")
    void preconditionsOnMissing() {
        Timestamp time = Timestamp.newBuilder().setSeconds(1).build();
        assertRefused(Status.Code.NOT_FOUND, () -> write(ifExists(true, set(document, 1))));
        assertRefused(Status.Code.NOT_FOUND, () -> write(ifExists(true, delete(document))));
        assertRefused(Status.Code.FAILED_PRECONDITION, () -> write(ifUpdatedAt(time, set(document, 1))));
        assertRefused(Status.Code.FAILED_PRECONDITION, () -> write(ifUpdatedAt(time, delete(document))));
        write(delete(document));
        write(ifExists(false, set(document, 1)));
    }

    @Test
    @DisplayName("preconditions on an existing document")
    void preconditionsOnExisting() throws Exception {
        Timestamp first = write(set(document, 1)).getWriteResults(0).getUpdateTime();
        assertRefused(Status.Code.ALREADY_EXISTS, () -> write(ifExists(false, set(document, 2))));

        Timestamp second =
                write(ifUpdatedAt(first, set(document, 2))).getWriteResults(0).getUpdateTime();

        assertRefused(Status.Code.FAILED_PRECONDITION, () -> write(ifUpdatedAt(first, set(document, 3))));
        assertRefused(Status.Code.FAILED_PRECONDITION, () -> write(ifUpdatedAt(first, delete(document))));
        assertThat(stored()).isEqualTo(2);
        write(ifUpdatedAt(second, delete(document)));
        assertThat(document.get().get().exists()).isFalse();
    }

    @Test
    @DisplayName("a write that changes nothing keeps the update time")
    void writeWithoutEffect() {
        Timestamp first = write(set(document, 1)).getWriteResults(0).getUpdateTime();
        assertThat(write(set(document, 1)).getWriteResults(0).getUpdateTime()).isEqualTo(first);
    }

    @Test
    @DisplayName("commit times increase, and a document bears that of its last change")
    void times() {
        CommitResponse first = write(set(document, 1));
        CommitResponse second = write(set(document, 2));
        assertThat(ServerClock.ORDER.compare(first.getCommitTime(), second.getCommitTime()))
                .isNegative();
        assertThat(second.getWriteResults(0).getUpdateTime()).isEqualTo(second.getCommitTime());

        BatchGetDocumentsResponse read = server().begin().get(document);
        assertThat(read.getFound().getCreateTime()).isEqualTo(first.getCommitTime());
        assertThat(read.getFound().getUpdateTime()).isEqualTo(second.getCommitTime());
        assertThat(ServerClock.ORDER.compare(second.getCommitTime(), read.getReadTime()))
                .isNotPositive();
    }

    @Test
    @DisplayName("a query without results is one answer with a read time")
    void emptyQuery() {
        List<RunQueryResponse> responses = server().begin().run(Writes.whereEqual(collection.getId(), 1));
        assertThat(responses).hasSize(1);
        assertThat(responses.get(0).hasReadTime()).isTrue();
        assertThat(responses.get(0).hasDocument()).isFalse();
    }

    @Test
    @DisplayName("a document has at most one mebibyte")
    void tooLarge() throws Exception {
        document.set(Map.of("n", 1, "text", "x".repeat(1_000_000))).get();
        assertRefused(
                Status.Code.INVALID_ARGUMENT,
                () -> write(Write.newBuilder()
                        .setUpdate(Document.newBuilder()
                                .setName(Writes.name(document))
                                .putFields(
                                        "text",
                                        Value.newBuilder()
                                                .setStringValue("x".repeat(1_048_576))
                                                .build()))
                        .build()));
        assertThat(stored()).isEqualTo(1);
    }
}
