package dev.syncguard.testbed.firestore;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contracts on the stand-in. */
class FirestoreServerContractTest {

    private static FirestoreServer server;
    private static FirestoreUnderTest underTest;

    @BeforeAll
    static void start() {
        server = FirestoreServer.start();
        underTest = new FirestoreUnderTest(server.hostAndPort());
    }

    @AfterAll
    static void stop() {
        underTest.close();
        server.close();
    }

    @Nested
    class Transactions extends TransactionContract {
        @Override
        FirestoreUnderTest server() {
            return underTest;
        }

        @Override
        void lockLimit(Duration limit) {
            server.lockLimit(limit);
        }
    }

    @Nested
    class Client extends ClientContract {
        @Override
        FirestoreUnderTest server() {
            return underTest;
        }

        @Override
        int[] increments() {
            return new int[] {16, 50};
        }
    }

    @Nested
    class Queries extends QueryContract {
        @Override
        FirestoreUnderTest server() {
            return underTest;
        }
    }

    @Nested
    class Listeners extends ListenContract {
        @Override
        FirestoreUnderTest server() {
            return underTest;
        }
    }
}
