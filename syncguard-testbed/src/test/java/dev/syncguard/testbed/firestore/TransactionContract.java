package dev.syncguard.testbed.firestore;

import static dev.syncguard.testbed.firestore.Writes.delete;
import static dev.syncguard.testbed.firestore.Writes.ifExists;
import static dev.syncguard.testbed.firestore.Writes.set;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.GetDocumentRequest;
import com.google.firestore.v1.TransactionOptions;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.grpc.Status;
import java.util.Iterator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of a transaction, call by call. */
abstract class TransactionContract extends RawContract {

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
    @DisplayName("an unknown transaction is refused")
    void unknown() {
        RawTransaction unknown = new RawTransaction(server().calls(), ByteString.copyFromUtf8("nonsense"));
        assertRefused(Status.Code.INVALID_ARGUMENT, () -> unknown.get(document));
        assertRefused(Status.Code.INVALID_ARGUMENT, () -> unknown.commit(set(document, 1)));
        assertRefused(Status.Code.INVALID_ARGUMENT, unknown::rollback);
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
    @DisplayName("a commit without writes ends the transaction and its locks")
    void emptyCommit() throws Exception {
        RawTransaction transaction = server().begin();
        transaction.get(document);
        assertThat(transaction.commit().getWriteResultsCount()).isZero();
        write(set(document, 1));
        assertThat(stored()).isEqualTo(1);
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

    @Test
    @DisplayName("a past state can be read")
    void past() {
        Timestamp first = write(set(document, 1)).getCommitTime();
        write(set(document, 2));
        write(delete(document));
        Document read = server().calls()
                .getDocument(GetDocumentRequest.newBuilder()
                        .setName(Writes.name(document))
                        .setReadTime(first)
                        .build());
        assertThat(read.getFieldsOrThrow("n").getIntegerValue()).isEqualTo(1);
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

        PendingCommit writer = waiting(() -> write(set(document, 1)));

        writer.assertWaits();
        transaction.rollback();
        assertThat(writer.outcome()).isEqualTo(Status.Code.OK);
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
}
