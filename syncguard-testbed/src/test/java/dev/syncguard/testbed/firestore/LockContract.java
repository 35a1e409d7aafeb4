package dev.syncguard.testbed.firestore;

import static dev.syncguard.testbed.firestore.Writes.ifExists;
import static dev.syncguard.testbed.firestore.Writes.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.firestore.DocumentReference;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who waits for whom. */
abstract class LockContract extends RawContract {

    /** Those who wait for each other may both run into the limit, if nothing else ends their wait. */
    private static void assertNotBoth(PendingCommit one, PendingCommit other) throws Exception {
        assertThat(List.of(one.outcome(), other.outcome()))
                .isSubsetOf(Status.Code.OK, Status.Code.ABORTED)
                .contains(Status.Code.ABORTED);
    }

    @Test
    @DisplayName("a plain write waits for a read lock, a plain read does not")
    void plainWriteWaits() throws Exception {
        write(set(document, 1));
        RawTransaction reader = server().begin();
        reader.get(document);

        PendingCommit writer = waiting(() -> write(set(document, 2)));

        writer.assertWaits();
        assertThat(stored()).isEqualTo(1);
        reader.rollback();
        assertThat(writer.outcome()).isEqualTo(Status.Code.OK);
        assertThat(stored()).isEqualTo(2);
    }

    @Test
    @DisplayName("a read lock covers a missing document")
    void lockOnMissing() throws Exception {
        RawTransaction reader = server().begin();
        assertThat(reader.get(document).getMissing()).endsWith("/d");

        PendingCommit writer = waiting(() -> write(ifExists(false, set(document, 1))));

        writer.assertWaits();
        reader.commit();
        assertThat(writer.outcome()).isEqualTo(Status.Code.OK);
    }

    @Test
    @DisplayName("a query locks what would become a result")
    void phantom() throws Exception {
        RawTransaction reader = server().begin();
        reader.run(Writes.whereEqual(collection.getId(), 7));

        PendingCommit writer = waiting(() -> write(set(document, 7)));

        writer.assertWaits();
        reader.rollback();
        assertThat(writer.outcome()).isEqualTo(Status.Code.OK);
    }

    @Test
    @DisplayName("a query locks its results")
    void lockOnResult() throws Exception {
        write(set(document, 7));
        RawTransaction reader = server().begin();
        assertThat(reader.run(Writes.whereEqual(collection.getId(), 7))).hasSize(1);

        PendingCommit writer = waiting(() -> write(set(document, 8)));

        writer.assertWaits();
        reader.rollback();
        assertThat(writer.outcome()).isEqualTo(Status.Code.OK);
    }

    @Test
    @DisplayName("a write that waits too long for a lock is aborted")
    void lockTimeout() throws Exception {
        contract().lockLimit(Duration.ofSeconds(1));
        RawTransaction reader = server().begin();
        reader.get(document);

        assertThatThrownBy(() -> write(set(document, 1))).hasMessage("ABORTED: Transaction lock timeout.");
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

        PendingCommit one = PendingCommit.of(() -> first.commit(set(document, 1)));
        PendingCommit other = PendingCommit.of(() -> second.commit(set(document, 2)));

        assertNotBoth(one, other);
        assertThat(stored()).isEqualTo(one.outcome() == Status.Code.OK ? 1 : other.outcome() == Status.Code.OK ? 2 : 0);
    }

    @Test
    @DisplayName("of two transactions that write what the other one read, one is aborted")
    void writeSkew() throws Exception {
        DocumentReference another = collection.document("e");
        RawTransaction first = server().begin();
        RawTransaction second = server().begin();
        first.get(document);
        second.get(another);

        PendingCommit one = PendingCommit.of(() -> first.commit(set(another, 1)));
        PendingCommit other = PendingCommit.of(() -> second.commit(set(document, 2)));

        assertNotBoth(one, other);
    }

    @Test
    @DisplayName("of two transactions that query and create, one is aborted")
    void queryAndCreate() throws Exception {
        RawTransaction first = server().begin();
        RawTransaction second = server().begin();
        first.run(Writes.whereEqual(collection.getId(), 7));
        second.run(Writes.whereEqual(collection.getId(), 7));

        PendingCommit one = PendingCommit.of(() -> first.commit(set(collection.document("a"), 7)));
        PendingCommit other = PendingCommit.of(() -> second.commit(set(collection.document("b"), 7)));

        assertNotBoth(one, other);
        assertThat(collection.get().get().size())
                .isEqualTo(one.outcome() == Status.Code.OK || other.outcome() == Status.Code.OK ? 1 : 0);
    }
}
