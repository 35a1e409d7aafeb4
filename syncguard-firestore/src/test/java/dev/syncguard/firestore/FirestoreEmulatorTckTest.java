package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.testbed.firestore.FirestoreEmulator;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.condition.EnabledIf;

/** The contract on Google's emulator, as an oracle. */
@EnabledIf(value = "dev.syncguard.testbed.firestore.FirestoreEmulator#found", disabledReason = "no emulator here")
class FirestoreEmulatorTckTest extends FirestoreTck {

    private FirestoreEmulator emulator;

    @Override
    Firestore createClient() {
        emulator = FirestoreEmulator.start();
        return Clients.warm(emulator.hostAndPort());
    }

    @Override
    Duration commandTimeout() {
        return Duration.ofSeconds(30);
    }

    @AfterAll
    void stopEmulator() {
        emulator.close();
    }
}
