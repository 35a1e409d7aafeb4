package dev.syncguard.testbed.firestore;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIf;

/** The contracts on Google's emulator, where there is one: an oracle for the stand-in. */
@EnabledIf(value = "dev.syncguard.testbed.firestore.FirestoreEmulator#found", disabledReason = "no emulator here")
class FirestoreEmulatorContractTest {

    private static FirestoreEmulator server;
    private static FirestoreUnderTest underTest;

    @BeforeAll
    static void start() {
        server = FirestoreEmulator.start();
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
    }

    @Nested
    class Client extends ClientContract {
        @Override
        FirestoreUnderTest server() {
            return underTest;
        }

        @Override
        int[] increments() {
            return new int[] {4, 5};
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
