package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.CommitResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.Callable;
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

        /** It is two seconds. */
        @Override
        void lockLimit(Duration limit) {}

        /** A busy machine runs into that limit. */
        @Override
        CommitResponse patiently(Callable<CommitResponse> write) throws Exception {
            while (true) {
                try {
                    return write.call();
                } catch (StatusRuntimeException e) {
                    if (e.getStatus().getCode() != Status.Code.ABORTED) {
                        throw e;
                    }
                }
            }
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
