package dev.syncguard.testbed.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.api.core.ApiFuture;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.ListenerRegistration;
import com.google.firestore.v1.CommitResponse;
import dev.syncguard.testbed.TcpProxy;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What only the stand-in can do: faults, counts, its clock, and a sure winner among transactions. */
class FirestoreServerTest {

    private FirestoreServer server;
    private FirestoreUnderTest underTest;
    private CollectionReference collection;
    private DocumentReference document;

    @BeforeEach
    void start() {
        server = FirestoreServer.start();
        underTest = new FirestoreUnderTest(server.hostAndPort());
        collection = underTest.collection();
        document = collection.document("d");
    }

    @AfterEach
    void stop() {
        underTest.close();
        server.close();
    }

    private CommitResponse write(long n) {
        return Writes.commit(underTest.calls(), Writes.set(document, n));
    }

    private static Status.Code outcome(ThrowingCallable call) {
        try {
            call.call();
            return Status.Code.OK;
        } catch (Throwable e) {
            return Status.fromThrowable(e).getCode();
        }
    }

    private static CompletableFuture<Status.Code> later(ThrowingCallable call) {
        return CompletableFuture.supplyAsync(() -> outcome(call), task -> new Thread(task).start());
    }

    private long increment() throws Exception {
        return underTest
                .client
                .runTransaction(transaction -> {
                    Long n = transaction.get(document).get().getLong("n");
                    long next = n == null ? 1 : n + 1;
                    transaction.set(document, Map.of("n", next));
                    return next;
                })
                .get();
    }

    @Test
    @DisplayName("a transaction of the client is three calls, a plain operation one")
    void counts() throws Exception {
        increment();
        assertThat(server.counts()).isEqualTo(Map.of("BeginTransaction", 1, "BatchGetDocuments", 1, "Commit", 1));

        server.clearCounts();
        document.get().get();
        document.set(Map.of("n", 2)).get();
        collection.get().get();
        assertThat(server.counts()).isEqualTo(Map.of("BatchGetDocuments", 1, "Commit", 1, "RunQuery", 1));
    }

    @Test
    @DisplayName("an aborted commit is rolled back and begun again by the client")
    void retryByClient() throws Exception {
        server.fail("Commit", Status.Code.ABORTED, 1);
        assertThat(increment()).isEqualTo(1);
        assertThat(server.counts())
                .isEqualTo(Map.of("BeginTransaction", 2, "BatchGetDocuments", 2, "Commit", 2, "Rollback", 1));
    }

    @Test
    @DisplayName("refused calls are not executed, as often as asked for")
    void refusal() throws Exception {
        server.fail("Commit", Status.Code.UNAVAILABLE, 2);
        assertThat(outcome(() -> write(1))).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(outcome(() -> write(1))).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(document.get().get().exists()).isFalse();
        assertThat(outcome(() -> write(1))).isEqualTo(Status.Code.OK);
    }

    @Test
    @DisplayName("a lost reply: executed, but told otherwise")
    void lostReply() throws Exception {
        server.loseReply("Commit", Status.Code.DEADLINE_EXCEEDED, 1);
        assertThat(outcome(() -> write(1))).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(document.get().get().getLong("n")).isEqualTo(1);
    }

    @Test
    @DisplayName("a failure is told even where a success would not be")
    void lostReplyOfFailure() {
        server.neverReply("Commit", 1);
        assertThat(outcome(() -> Writes.commit(underTest.calls(), Writes.ifExists(true, Writes.set(document, 1)))))
                .isEqualTo(Status.Code.NOT_FOUND);
    }

    @Test
    @DisplayName("the client repeats a transaction whose commit was applied but reported as unavailable")
    void repeatedCommit() throws Exception {
        server.loseReply("Commit", Status.Code.UNAVAILABLE, 1);
        assertThat(increment()).isEqualTo(2);
    }

    @Test
    @DisplayName("no reply at all: executed, and the caller's deadline passes")
    void neverReply() throws Exception {
        server.neverReply("Commit", 1);
        assertThat(outcome(() -> Writes.commit(
                        underTest.calls().withDeadlineAfter(1, TimeUnit.SECONDS), Writes.set(document, 1))))
                .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(document.get().get().getLong("n")).isEqualTo(1);
    }

    @Test
    @DisplayName("a held call is executed when it is released")
    void hold() throws Exception {
        HeldCall held = server.hold("Commit");
        ApiFuture<?> write = document.set(Map.of("n", 1));
        held.awaitArrival();
        assertThat(document.get().get().exists()).isFalse();
        held.release();
        write.get();
        assertThat(document.get().get().exists()).isTrue();
    }

    @Test
    @DisplayName("a delayed call is late")
    void delay() {
        server.delay("Commit", Duration.ofMillis(200), 1);
        long begun = System.nanoTime();
        write(1);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }

    @Test
    @DisplayName("faults that met no call are forgotten on request")
    void clearFaults() {
        server.fail("Commit", Status.Code.INTERNAL, 5);
        server.clearFaults();
        assertThat(outcome(() -> write(1))).isEqualTo(Status.Code.OK);
    }

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
    void idle() {
        server.lockLimit(Duration.ofHours(1));
        RawTransaction reader = underTest.begin();
        reader.get(document);
        CompletableFuture<Status.Code> writer = later(() -> write(1));

        server.clockOffset(Duration.ofSeconds(61));

        assertThat(writer.join()).isEqualTo(Status.Code.OK);
        assertThat(outcome(() -> reader.get(document))).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    @DisplayName("a transaction in use expires after four and a half minutes")
    void total() {
        RawTransaction reader = underTest.begin();
        for (int seconds = 0; seconds <= 250; seconds += 50) {
            server.clockOffset(Duration.ofSeconds(seconds));
            assertThat(outcome(() -> reader.get(document))).isEqualTo(Status.Code.OK);
        }
        server.clockOffset(Duration.ofSeconds(271));
        assertThat(outcome(() -> reader.get(document))).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    @DisplayName("of commits that wait for each other the youngest transaction is aborted, at once")
    void youngestIsAborted() {
        server.lockLimit(Duration.ofHours(1));
        RawTransaction older = underTest.begin();
        RawTransaction younger = underTest.begin();
        older.get(document);
        younger.get(document);

        CompletableFuture<Status.Code> second = later(() -> younger.commit(Writes.set(document, 2)));
        CompletableFuture<Status.Code> first = later(() -> older.commit(Writes.set(document, 1)));

        assertThat(first.join()).isEqualTo(Status.Code.OK);
        assertThat(second.join()).isEqualTo(Status.Code.ABORTED);
    }

    @Test
    @DisplayName("a circle of three is broken too")
    void circleOfThree() {
        server.lockLimit(Duration.ofHours(1));
        List<RawTransaction> transactions = List.of(underTest.begin(), underTest.begin(), underTest.begin());
        for (int i = 0; i < 3; i++) {
            transactions.get(i).get(collection.document("d" + i));
        }
        List<CompletableFuture<Status.Code>> commits = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            RawTransaction transaction = transactions.get(i);
            DocumentReference next = collection.document("d" + (i + 1) % 3);
            commits.add(later(() -> transaction.commit(Writes.set(next, 1))));
        }
        assertThat(commits.stream().map(CompletableFuture::join).toList())
                .containsExactly(Status.Code.OK, Status.Code.OK, Status.Code.ABORTED);
    }

    @Test
    @DisplayName("a retry that names its predecessor wins against a transaction that began before it")
    void retryKeepsItsPlace() {
        server.lockLimit(Duration.ofHours(1));
        RawTransaction aborted = underTest.begin();
        RawTransaction other = underTest.begin();
        aborted.rollback();
        RawTransaction retry = aborted.retry();
        other.get(document);
        retry.get(document);

        CompletableFuture<Status.Code> others = later(() -> other.commit(Writes.set(document, 1)));
        CompletableFuture<Status.Code> retried = later(() -> retry.commit(Writes.set(document, 2)));

        assertThat(retried.join()).isEqualTo(Status.Code.OK);
        assertThat(others.join()).isEqualTo(Status.Code.ABORTED);
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
    @DisplayName("four underscores are a reserved id, as documented, though the emulator takes them")
    void reservedId() {
        assertThatThrownBy(() -> collection.document("____").get().get()).hasMessageContaining("INVALID_ARGUMENT");
    }

    @Test
    @DisplayName("a listener survives a cut connection and misses no change")
    void cutListener() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.port());
                FirestoreUnderTest cut = new FirestoreUnderTest("127.0.0.1:" + proxy.port())) {
            document.set(Map.of("n", 1)).get();
            List<Long> seen = new CopyOnWriteArrayList<>();
            ListenerRegistration registration = cut.client
                    .document(document.getPath())
                    .addSnapshotListener((snapshot, error) ->
                            seen.add(snapshot == null || !snapshot.exists() ? -1 : snapshot.getLong("n")));
            await().until(() -> seen.equals(List.of(1L)));
            proxy.refuseConnections(true);
            proxy.reset();
            document.delete().get();
            proxy.refuseConnections(false);
            await().atMost(Duration.ofSeconds(30)).until(() -> seen.equals(List.of(1L, -1L)));
            registration.remove();
        }
    }
}
