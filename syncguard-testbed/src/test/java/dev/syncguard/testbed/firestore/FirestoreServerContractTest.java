package dev.syncguard.testbed.firestore;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contracts on the stand-in. */
class FirestoreServerContractTest extends FirestoreContract {

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

    @Override
    FirestoreUnderTest server() {
        return underTest;
    }

    @Override
    int threads() {
        return 16;
    }

    @Override
    int rounds() {
        return 50;
    }

    @Override
    void lockLimit(Duration limit) {
        server.lockLimit(limit);
    }

    @Override
    void patiently(ThrowingCallable write) throws Throwable {
        write.call();
    }
}
