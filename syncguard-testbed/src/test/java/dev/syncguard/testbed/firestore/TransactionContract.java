package dev.syncguard.testbed.firestore;

import static dev.syncguard.testbed.firestore.Writes.delete;
import static dev.syncguard.testbed.firestore.Writes.ifExists;
import static dev.syncguard.testbed.firestore.Writes.ifUpdatedAt;
import static dev.syncguard.testbed.firestore.Writes.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.TransactionOptions;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.grpc.Status;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What transactions and preconditions do, call by call. */
abstract class TransactionContract {

    private CollectionReference collection;
    private DocumentReference document;

    abstract FirestoreUnderTest server();

    /** Sets how long a write waits for locks, if that can be set. */
    abstract void lockLimit(Duration limit);

    @BeforeEach
    void unusedDocument() {
        lockLimit(Duration.ofMinutes(1));
        collection = server().collection();
        document = collection.document("d");
    }

    private CommitResponse write(Write... writes) {
        return Writes.commit(server().calls(), writes);
    }

    private long stored() throws Exception {
        Long n = document.get().get().getLong("n");
        return n == null ? 0 : n;
    }

    private static void assertRefused(Status.Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .satisfies(e -> assertThat(Status.fromThrowable(e).getCode()).isEqualTo(code));
    }

    /** Does a write; one that is willing to wait longer for locks than the server lets it may repeat it. */
    CommitResponse patiently(Callable<CommitResponse> write) throws Exception {
        return write.call();
    }

    private CompletableFuture<CommitResponse> waiting(Callable<CommitResponse> write) {
        return later(() -> patiently(write));
    }

    private static CompletableFuture<CommitResponse> later(Callable<CommitResponse> call) {
        CompletableFuture<CommitResponse> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(call.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static void assertWaits(CompletableFuture<?> call) {
        assertThatThrownBy(() -> call.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
    }

    private static void assertSucceeds(CompletableFuture<CommitResponse> call) throws Exception {
        assertThat(call.get(10, TimeUnit.SECONDS).hasCommitTime()).isTrue();
    }

    private static Status outcome(CompletableFuture<CommitResponse> call) throws Exception {
        return call.handle((response, error) -> error == null ? Status.OK : Status.fromThrowable(error))
                .get(10, TimeUnit.SECONDS);
    }

    /** Those who wait for each other may both run into the limit, if nothing else ends their wait. */
    private static void assertNotBoth(CompletableFuture<CommitResponse> one, CompletableFuture<CommitResponse> other)
            throws Exception {
        List<Status.Code> outcomes =
                List.of(outcome(one).getCode(), outcome(other).getCode());
        assertThat(outcomes).isSubsetOf(Status.Code.OK, Status.Code.ABORTED).contains(Status.Code.ABORTED);
    }

    @Test
    @DisplayName("a finished transaction can neither read nor commit, but be rolled back")
    void finished() {
        RawTransaction transaction = server().begin();
        transaction.get(document);
        transaction.commit(set(document, 1));

        assertRefused(Status.Code.INVALID_ARGUMENT, () -> transaction.get(document));
        assertRefused(Status.Code.INVALID_ARGUMENT, () -> transaction.commit(set(document, 2)));
        transaction.rollback();
    }

    @Test
    @DisplayName("a rolled back transaction can neither read nor commit, but be rolled back again")
    void rolledBack() {
        RawTransaction transaction = server().begin();
        transaction.get(document);
        transaction.rollback();

        assertRefused(Status.Code.INVALID_ARGUMENT, () -> transaction.get(document));
        assertRefused(Status.Code.INVALID_ARGUMENT, () -> transaction.commit(set(document, 2)));
        transaction.rollback();
    }

    @Test
    @DisplayName("a failed precondition ends the transaction and its locks, and writes nothing")
    void failedPrecondition() throws Exception {
        RawTransaction transaction = server().begin();
        transaction.get(document);

        assertRefused(
                Status.Code.NOT_FOUND,
                () -> transaction.commit(set(collection.document("e"), 1), ifExists(true, set(document, 1))));

        assertRefused(Status.Code.INVALID_ARGUMENT, () -> transaction.commit(set(document, 2)));
        assertThat(collection.document("e").get().get().exists()).isFalse();
        write(set(document, 3));
        assertThat(stored()).isEqualTo(3);
    }

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
    @DisplayName("a commit without writes ends the transaction and its locks")
    void emptyCommit() throws Exception {
        RawTransaction transaction = server().begin();
        transaction.get(document);
        assertThat(transaction.commit().getWriteResultsCount()).isZero();
        write(set(document, 1));
        assertThat(stored()).isEqualTo(1);
    }

    @Test
    @DisplayName("a plain write waits for a read lock, a plain read does not")
    void plainWriteWaits() throws Exception {
        write(set(document, 1));
        RawTransaction reader = server().begin();
        reader.get(document);

        CompletableFuture<CommitResponse> writer = waiting(() -> write(set(document, 2)));

        assertWaits(writer);
        assertThat(stored()).isEqualTo(1);
        reader.rollback();
        assertSucceeds(writer);
        assertThat(stored()).isEqualTo(2);
    }

    @Test
    @DisplayName("a read lock covers a missing document")
    void lockOnMissing() throws Exception {
        RawTransaction reader = server().begin();
        assertThat(reader.get(document).getMissing()).endsWith("/d");

        CompletableFuture<CommitResponse> writer = waiting(() -> write(ifExists(false, set(document, 1))));

        assertWaits(writer);
        reader.commit();
        assertSucceeds(writer);
    }

    @Test
    @DisplayName("a query locks what would become a result")
    void phantom() throws Exception {
        RawTransaction reader = server().begin();
        reader.run(Writes.whereEqual(collection.getId(), 7));

        CompletableFuture<CommitResponse> writer = waiting(() -> write(set(document, 7)));

        assertWaits(writer);
        reader.rollback();
        assertSucceeds(writer);
    }

    @Test
    @DisplayName("a query locks its results")
    void lockOnResult() throws Exception {
        write(set(document, 7));
        RawTransaction reader = server().begin();
        assertThat(reader.run(Writes.whereEqual(collection.getId(), 7))).hasSize(1);

        CompletableFuture<CommitResponse> writer = waiting(() -> write(set(document, 8)));

        assertWaits(writer);
        reader.rollback();
        assertSucceeds(writer);
    }

    @Test
    @DisplayName("a write that waits too long for a lock is aborted")
    void lockTimeout() throws Exception {
        lockLimit(Duration.ofSeconds(1));
        RawTransaction reader = server().begin();
        reader.get(document);

        Status outcome = outcome(later(() -> write(set(document, 1))));

        assertThat(outcome.getCode()).isEqualTo(Status.Code.ABORTED);
        assertThat(outcome.getDescription()).isEqualTo("Transaction lock timeout.");
        reader.commit(set(document, 2));
        assertThat(stored()).isEqualTo(2);
    }

    @Test
    @DisplayName("of two transactions that read and write the same document, one is aborted")
    void readAndWrite() throws Exception {
        RawTransaction first = server().begin();
        RawTransaction second = server().begin();
        first.get(document);
        second.get(document);

        CompletableFuture<CommitResponse> one = later(() -> first.commit(set(document, 1)));
        CompletableFuture<CommitResponse> other = later(() -> second.commit(set(document, 2)));

        assertNotBoth(one, other);
        assertThat(stored()).isEqualTo(outcome(one).isOk() ? 1 : outcome(other).isOk() ? 2 : 0);
    }

    @Test
    @DisplayName("of two transactions that write what the other one read, one is aborted")
    void writeSkew() throws Exception {
        DocumentReference another = collection.document("e");
        RawTransaction first = server().begin();
        RawTransaction second = server().begin();
        first.get(document);
        second.get(another);

        CompletableFuture<CommitResponse> one = later(() -> first.commit(set(another, 1)));
        CompletableFuture<CommitResponse> other = later(() -> second.commit(set(document, 2)));

        assertNotBoth(one, other);
    }

    @Test
    @DisplayName("of two transactions that query and create, one is aborted")
    void queryAndCreate() throws Exception {
        RawTransaction first = server().begin();
        RawTransaction second = server().begin();
        first.run(Writes.whereEqual(collection.getId(), 7));
        second.run(Writes.whereEqual(collection.getId(), 7));

        CompletableFuture<CommitResponse> one = later(() -> first.commit(set(collection.document("a"), 7)));
        CompletableFuture<CommitResponse> other = later(() -> second.commit(set(collection.document("b"), 7)));

        assertNotBoth(one, other);
        assertThat(collection.get().get().size())
                .isEqualTo(outcome(one).isOk() || outcome(other).isOk() ? 1 : 0);
    }

    @Test
    @DisplayName("a transaction without locks on it sees what was written since it began")
    void readsTheNewest() {
        RawTransaction transaction = server().begin();
        write(set(document, 1));
        assertThat(transaction.get(document).getFound().getFieldsOrThrow("n").getIntegerValue())
                .isEqualTo(1);
    }

    @Test
    @DisplayName("a read-only transaction sees one state and locks nothing")
    void readOnly() throws Exception {
        write(set(document, 1));
        RawTransaction reader = RawTransaction.beginReadOnly(server().calls());
        reader.get(document);

        write(set(document, 2));

        assertThat(reader.get(document).getFound().getFieldsOrThrow("n").getIntegerValue())
                .isEqualTo(1);
        assertThat(stored()).isEqualTo(2);
    }

    private RawTransaction beginByRead(TransactionOptions options) {
        Iterator<BatchGetDocumentsResponse> responses = server().calls()
                .batchGetDocuments(BatchGetDocumentsRequest.newBuilder()
                        .setDatabase(FirestoreUnderTest.DATABASE)
                        .addDocuments(Writes.name(document))
                        .setNewTransaction(options)
                        .build());
        RawTransaction transaction =
                new RawTransaction(server().calls(), responses.next().getTransaction());
        responses.forEachRemaining(
                response -> assertThat(response.getTransaction()).isEmpty());
        return transaction;
    }

    @Test
    @DisplayName("a transaction can begin with its first read, which locks")
    void beginByReadAndWrite() throws Exception {
        RawTransaction transaction = beginByRead(TransactionOptions.newBuilder()
                .setReadWrite(TransactionOptions.ReadWrite.getDefaultInstance())
                .build());

        CompletableFuture<CommitResponse> writer = waiting(() -> write(set(document, 1)));

        assertWaits(writer);
        transaction.rollback();
        assertSucceeds(writer);
    }

    @Test
    @DisplayName("a transaction that begins with a read is read-only unless it says otherwise")
    void beginByReadOnly() {
        write(set(document, 1));
        RawTransaction transaction = beginByRead(TransactionOptions.getDefaultInstance());
        write(set(document, 2));
        assertThat(transaction.get(document).getFound().getFieldsOrThrow("n").getIntegerValue())
                .isEqualTo(1);
        assertRefused(Status.Code.INVALID_ARGUMENT, () -> transaction.commit(set(document, 3)));
    }

    @Test
    @DisplayName("an unknown transaction is refused")
    void unknown() {
        RawTransaction unknown = new RawTransaction(server().calls(), ByteString.copyFromUtf8("nonsense"));
        assertRefused(Status.Code.INVALID_ARGUMENT, () -> unknown.get(document));
        assertRefused(Status.Code.INVALID_ARGUMENT, () -> unknown.commit(set(document, 1)));
        assertRefused(Status.Code.INVALID_ARGUMENT, unknown::rollback);
    }
}
