package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.FenceMode;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.tck.LockBackendTck;
import dev.syncguard.tck.StoreProbe;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/** The contract; subclasses say on which server. */
abstract class FirestoreTck extends LockBackendTck {

    private final Firestore client = createClient();
    private final Firestore nowhere = Clients.of("127.0.0.1:1");

    abstract Firestore createClient();

    FenceMode fenceMode() {
        return FenceMode.COUNTER;
    }

    Duration commandTimeout() {
        return Duration.ofSeconds(5);
    }

    @Override
    protected LockBackend createBackend() {
        return builder().build();
    }

    @Override
    protected LockBackend createCleaningBackend() {
        return builder().cleanupInIsLocked(true).build();
    }

    private FirestoreLockBackendBuilder builder() {
        return FirestoreLockBackend.builder(client).fenceMode(fenceMode()).commandTimeout(commandTimeout());
    }

    @Override
    protected StoreProbe store() {
        return new FirestoreProbe(client);
    }

    @Override
    protected LockBackend createUnreachableBackend() {
        return FirestoreLockBackend.builder(nowhere)
                .commandTimeout(Duration.ofMillis(500))
                .build();
    }

    @AfterAll
    void closeClients() throws Exception {
        client.close();
        nowhere.close();
    }
}
