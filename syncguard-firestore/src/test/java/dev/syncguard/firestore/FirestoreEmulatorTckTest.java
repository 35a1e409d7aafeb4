package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The contract on Google's emulator, as an oracle. */
@EnabledIfEnvironmentVariable(named = "FIRESTORE_EMULATOR_HOST", matches = ".+")
class FirestoreEmulatorTckTest extends FirestoreTck {

    @Override
    Firestore createClient() {
        return Clients.warm(System.getenv("FIRESTORE_EMULATOR_HOST"));
    }
}
