package dev.syncguard.testbed.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import com.google.firestore.v1.GetDocumentRequest;
import com.google.firestore.v1.Write;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What only the stand-in promises: its clock, a sure loser among transactions, one project. */
class FirestoreServerTest extends OwnServer {

    @Test
    @DisplayName("the clock can be moved, forwards and backwards")
    void clock() throws Exception {
        for (Duration offset : List.of(Duration.ofMinutes(10), Duration.ofMinutes(-10), Duration.ZERO)) {
            server.clockOffset(offset);
            Instant before = Instant.now();
            Timestamp read = document.get().get().getReadTime();
            Instant server = Instant.ofEpochSecond(read.getSeconds(), read.getNanos());
            assertThat(server)
                    .isBetween(
                            before.plus(offset).minusSeconds(1),
                            Instant.now().plus(offset).plusSeconds(1));
        }
    }

    @Test
    @DisplayName("an idle transaction expires after a minute, and so do its locks")
    void idle() throws Exception {
        server.lockLimit(Duration.ofHours(1));
        RawTransaction reader = underTest.begin();
        reader.get(document);
        PendingCommit writer = PendingCommit.of(() -> write(1));

        server.clockOffset(Duration.ofSeconds(61));

        assertThat(writer.outcome()).isEqualTo(Status.Code.OK);
        assertThat(PendingCommit.outcomeOf(() -> reader.get(document))).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    @DisplayName("a transaction in use expires after four and a half minutes")
    void total() {
        RawTransaction reader = underTest.begin();
        for (int seconds = 0; seconds <= 250; seconds += 50) {
            server.clockOffset(Duration.ofSeconds(seconds));
            assertThat(PendingCommit.outcomeOf(() -> reader.get(document))).isEqualTo(Status.Code.OK);
        }
        server.clockOffset(Duration.ofSeconds(271));
        assertThat(PendingCommit.outcomeOf(() -> reader.get(document))).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    @DisplayName("a query locks no more than could become a result; the emulator locks the collection")
    void exactLock() throws Exception {
        server.lockLimit(Duration.ofHours(1));
        RawTransaction reader = underTest.begin();
        reader.run(Writes.whereEqual(collection.getId(), 7));
        PendingCommit unrelated = PendingCommit.of(() -> write(8));
        assertThat(unrelated.outcome()).isEqualTo(Status.Code.OK);
    }

    @Test
    @DisplayName("of commits that wait for each other the youngest transaction is aborted, at once")
    void youngestIsAborted() throws Exception {
        server.lockLimit(Duration.ofHours(1));
        RawTransaction older = underTest.begin();
        RawTransaction younger = underTest.begin();
        older.get(document);
        younger.get(document);

        PendingCommit second = PendingCommit.of(() -> younger.commit(Writes.set(document, 2)));
        PendingCommit first = PendingCommit.of(() -> older.commit(Writes.set(document, 1)));

        assertThat(first.outcome()).isEqualTo(Status.Code.OK);
        assertThat(second.outcome()).isEqualTo(Status.Code.ABORTED);
    }

    @Test
    @DisplayName("a circle of three is broken too")
    void circleOfThree() throws Exception {
        server.lockLimit(Duration.ofHours(1));
        List<RawTransaction> transactions = List.of(underTest.begin(), underTest.begin(), underTest.begin());
        for (int i = 0; i < 3; i++) {
            transactions.get(i).get(collection.document("d" + i));
        }
        List<PendingCommit> commits = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            RawTransaction transaction = transactions.get(i);
            DocumentReference next = collection.document("d" + (i + 1) % 3);
            commits.add(PendingCommit.of(() -> transaction.commit(Writes.set(next, 1))));
        }
        assertThat(commits)
                .extracting(PendingCommit::outcome)
                .containsExactly(Status.Code.OK, Status.Code.OK, Status.Code.ABORTED);
    }

    @Test
    @DisplayName("a retry that names its predecessor wins against a transaction that began before it")
    void retryKeepsItsPlace() throws Exception {
        server.lockLimit(Duration.ofHours(1));
        RawTransaction aborted = underTest.begin();
        RawTransaction other = underTest.begin();
        aborted.rollback();
        RawTransaction retry = aborted.retry();
        other.get(document);
        retry.get(document);

        PendingCommit others = PendingCommit.of(() -> other.commit(Writes.set(document, 1)));
        PendingCommit retried = PendingCommit.of(() -> retry.commit(Writes.set(document, 2)));

        assertThat(retried.outcome()).isEqualTo(Status.Code.OK);
        assertThat(others.outcome()).isEqualTo(Status.Code.ABORTED);
    }

    @Test
    @DisplayName("another project and another database are not served")
    void wrongProject() {
        try (FirestoreUnderTest stranger = new FirestoreUnderTest(server.hostAndPort(), "another", "(default)");
                FirestoreUnderTest elsewhere =
                        new FirestoreUnderTest(server.hostAndPort(), server.projectId(), "another")) {
            assertThatThrownBy(() -> stranger.collection().get().get()).hasMessageContaining("PERMISSION_DENIED");
            assertThatThrownBy(() -> elsewhere.collection().get().get()).hasMessageContaining("NOT_FOUND");
        }
    }

    @Test
    @DisplayName("a cleared server has no documents and no transactions")
    void clear() throws Exception {
        write(1);
        RawTransaction reader = underTest.begin();
        reader.get(document);
        server.clear();
        assertThat(document.get().get().exists()).isFalse();
        assertThat(PendingCommit.outcomeOf(() -> reader.get(document))).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    @DisplayName("a state that is too old cannot be read")
    void forgotten() {
        GetDocumentRequest past = GetDocumentRequest.newBuilder()
                .setName(Writes.name(document))
                .setReadTime(write(1).getCommitTime())
                .build();
        Write[] many = IntStream.range(0, 10_000)
                .mapToObj(i -> Writes.set(collection.document("d" + i), i))
                .toArray(Write[]::new);
        Writes.commit(underTest.calls(), many);
        assertThat(underTest.calls().getDocument(past).getFieldsOrThrow("n").getIntegerValue())
                .isEqualTo(1);
        write(2);
        assertThat(PendingCommit.outcomeOf(() -> underTest.calls().getDocument(past)))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
    }

    @Test
    @DisplayName("four underscores are a reserved id, as documented, though the emulator takes them")
    void reservedId() {
        assertThatThrownBy(() -> collection.document("____").get().get()).hasMessageContaining("INVALID_ARGUMENT");
    }
}
