package dev.syncguard.testbed.firestore;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

/** The contracts on Google's emulator, where there is one: an oracle for the stand-in. */
@EnabledIf(value = "dev.syncguard.testbed.firestore.FirestoreEmulator#found", disabledReason = "no emulator here")
class FirestoreEmulatorContractTest extends FirestoreContract {

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
        return 5;
    }

    /** It is two seconds. */
    @Override
    void lockLimit(Duration limit) {}

    /** A busy machine runs into that limit. */
    @Override
    void patiently(ThrowingCallable write) throws Throwable {
        while (true) {
            try {
                write.call();
                return;
            } catch (StatusRuntimeException e) {
                if (e.getStatus().getCode() != Status.Code.ABORTED) {
                    throw e;
                }
            }
        }
    }
}
