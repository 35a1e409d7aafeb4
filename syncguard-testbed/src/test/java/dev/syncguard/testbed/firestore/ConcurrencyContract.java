package dev.syncguard.testbed.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import com.google.cloud.firestore.Transaction;
import com.google.cloud.firestore.TransactionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Many transactions of the official client at once. */
abstract class ConcurrencyContract {

    private static final int ACCOUNTS = 4;
    private static final TransactionOptions PATIENT = TransactionOptions.createReadWriteOptionsBuilder()
            .setNumberOfAttempts(200)
            .build();

    private CollectionReference collection;
    private ExecutorService executor;

    abstract FirestoreUnderTest server();

    /** How many there are. */
    abstract int threads();

    /** How many transactions each of them runs. */
    abstract int rounds();

    @BeforeEach
    void start() {
        collection = server().collection();
        executor = Executors.newFixedThreadPool(threads());
    }

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    /** Each thread runs as many transactions, one after the other. */
    private List<Future<?>> everywhere(int rounds, Body body) {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < threads(); i++) {
            int number = i;
            all.add(executor.submit(() -> {
                for (int round = 0; round < rounds; round++) {
                    int now = round;
                    run(transaction -> body.run(transaction, number, now), PATIENT);
                }
                return null;
            }));
        }
        return all;
    }

    private interface Body {
        Object run(Transaction transaction, int thread, int round) throws Exception;
    }

    private <T> T run(Transaction.Function<T> body, TransactionOptions options) throws Exception {
        return server().client.runTransaction(body, options).get();
    }

    @Test
    @DisplayName("increments lose nothing")
    void increments() throws Exception {
        for (Future<?> one : everywhere(rounds(), (transaction, thread, round) -> {
            Long n = transaction.get(collection.document("d")).get().getLong("n");
            return transaction.set(collection.document("d"), Map.of("n", n == null ? 1 : n + 1));
        })) {
            one.get();
        }
        assertThat(collection.document("d").get().get().getLong("n")).isEqualTo((long) threads() * rounds());
    }

    @Test
    @DisplayName("transfers on grounds of a query keep the sum, and a read-only transaction sees no other")
    void transfers() throws Exception {
        for (int i = 0; i < ACCOUNTS; i++) {
            collection.document("a" + i).set(Map.of("n", 100)).get();
        }
        for (Future<?> one : everywhere(rounds() / 5, this::transfer)) {
            assertThat(sum()).isEqualTo(100L * ACCOUNTS);
            one.get();
        }
        assertThat(sum()).isEqualTo(100L * ACCOUNTS);
    }

    private Object transfer(Transaction transaction, int thread, int round) throws Exception {
        int from = thread % ACCOUNTS;
        int to = (from + 1 + round % (ACCOUNTS - 1)) % ACCOUNTS;
        List<QueryDocumentSnapshot> accounts = transaction.get(collection).get().getDocuments();
        transaction.update(
                collection.document("a" + from), "n", accounts.get(from).getLong("n") - 1);
        return transaction.update(
                collection.document("a" + to), "n", accounts.get(to).getLong("n") + 1);
    }

    private long sum() throws Exception {
        return run(
                transaction -> transaction.get(collection).get().getDocuments().stream()
                        .mapToLong(account -> account.getLong("n"))
                        .sum(),
                TransactionOptions.createReadOnlyOptionsBuilder().build());
    }
}
