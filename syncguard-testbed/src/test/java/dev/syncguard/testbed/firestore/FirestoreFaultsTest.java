package dev.syncguard.testbed.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.ListenerRegistration;
import dev.syncguard.testbed.TcpProxy;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What calls meet, and how they are counted. */
class FirestoreFaultsTest extends OwnServer {

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
        assertThat(PendingCommit.outcomeOf(() -> write(1))).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(PendingCommit.outcomeOf(() -> write(1))).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(document.get().get().exists()).isFalse();
        assertThat(PendingCommit.outcomeOf(() -> write(1))).isEqualTo(Status.Code.OK);
    }

    @Test
    @DisplayName("a lost reply: executed, but told otherwise")
    void lostReply() throws Exception {
        server.loseReply("Commit", Status.Code.DEADLINE_EXCEEDED, 1);
        assertThat(PendingCommit.outcomeOf(() -> write(1))).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(document.get().get().getLong("n")).isEqualTo(1);
    }

    @Test
    @DisplayName("a failure is told even where a success would not be")
    void lostReplyOfFailure() {
        server.neverReply("Commit", 1);
        assertThat(PendingCommit.outcomeOf(
                        () -> Writes.commit(underTest.calls(), Writes.ifExists(true, Writes.set(document, 1)))))
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
        assertThat(PendingCommit.outcomeOf(() -> Writes.commit(
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
        assertThat(PendingCommit.outcomeOf(() -> write(1))).isEqualTo(Status.Code.OK);
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
