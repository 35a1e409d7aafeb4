package dev.syncguard.testbed.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The stand-in in optimistic mode: nobody waits, stale reads abort. */
class FirestoreOptimisticTest extends OwnServer {

    @Override
    FirestoreServer startServer() {
        return FirestoreServer.startOptimistic();
    }

    private Status.Code commit(RawTransaction transaction) {
        return PendingCommit.outcomeOf(() -> transaction.commit(Writes.set(collection.document("own"), 1)));
    }

    private long n(RawTransaction transaction) {
        return transaction.get(document).getFound().getFieldsOrThrow("n").getIntegerValue();
    }

    @Test
    @DisplayName("a transaction whose read is stale is aborted")
    void staleRead() {
        RawTransaction transaction = underTest.begin();
        transaction.get(document);
        write(1);
        assertThat(commit(transaction)).isEqualTo(Status.Code.ABORTED);
        assertThat(commit(transaction)).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    @DisplayName("a transaction whose query would have another result is aborted")
    void staleQuery() {
        RawTransaction transaction = underTest.begin();
        transaction.run(Writes.whereEqual(collection.getId(), 7));
        write(7);
        assertThat(commit(transaction)).isEqualTo(Status.Code.ABORTED);
    }

    @Test
    @DisplayName("what a transaction did not read may change")
    void unrelated() {
        RawTransaction transaction = underTest.begin();
        transaction.get(collection.document("other"));
        transaction.run(Writes.whereEqual(collection.getId(), 7));
        write(8);
        assertThat(commit(transaction)).isEqualTo(Status.Code.OK);
    }

    @Test
    @DisplayName("all reads see the state at the begin, and may end so without a write")
    void snapshot() {
        write(1);
        RawTransaction transaction = underTest.begin();
        write(2);
        assertThat(n(transaction)).isEqualTo(1);
        write(3);
        assertThat(n(transaction)).isEqualTo(1);
        transaction.commit();
    }

    @Test
    @DisplayName("a clock that goes back hides no change")
    void clockGoesBack() {
        write(1);
        server.clockOffset(Duration.ofMinutes(-10));
        RawTransaction transaction = underTest.begin();
        assertThat(n(transaction)).isEqualTo(1);
        write(2);
        assertThat(commit(transaction)).isEqualTo(Status.Code.ABORTED);
        assertThat(n(RawTransaction.beginReadOnly(underTest.calls()))).isEqualTo(2);
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        @Override
        FirestoreUnderTest server() {
            return underTest;
        }

        @Override
        int threads() {
            return 4;
        }

        @Override
        int rounds() {
            return 10;
        }
    }
}
