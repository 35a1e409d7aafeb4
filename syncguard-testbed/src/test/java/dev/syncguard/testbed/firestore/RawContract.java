package dev.syncguard.testbed.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.Write;
import io.grpc.Status;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;

/** What contracts of bare calls have in common: a document that nobody else uses. */
abstract class RawContract {

    CollectionReference collection;
    DocumentReference document;

    abstract FirestoreContract contract();

    @BeforeEach
    void unusedDocument() {
        contract().lockLimit(Duration.ofMinutes(1));
        collection = server().collection();
        document = collection.document("d");
    }

    FirestoreUnderTest server() {
        return contract().server();
    }

    CommitResponse write(Write... writes) {
        return Writes.commit(server().calls(), writes);
    }

    /** A write that waits for locks as long as it takes. */
    PendingCommit waiting(ThrowingCallable write) {
        return PendingCommit.of(() -> contract().patiently(write));
    }

    long stored() throws Exception {
        Long n = document.get().get().getLong("n");
        return n == null ? 0 : n;
    }

    static void assertRefused(Status.Code code, ThrowingCallable call) {
        assertThat(PendingCommit.outcomeOf(call)).isEqualTo(code);
    }
}
