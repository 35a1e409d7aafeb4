package dev.syncguard.cli.store;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.firestore.FirestoreLockBackend;
import dev.syncguard.firestore.FirestoreLockBackendBuilder;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LockBackend;
import java.util.regex.Pattern;

/** {@code firestore://PROJECT}, with the credentials of the environment; {@code FIRESTORE_EMULATOR_HOST} counts. */
final class FirestoreScheme {

    /** Also with a domain before it. What a URL of another kind may hold, such as a password, goes nowhere. */
    private static final Pattern PROJECT = Pattern.compile("([a-z0-9.-]+:)?[A-Za-z0-9_-]+");

    private FirestoreScheme() {}

    static LockBackend open(StoreAddress address) {
        DriverLogs.silence();
        String project = address.rest().replaceAll("^/+|/+$", "");
        if (!PROJECT.matcher(project).matches()) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "firestore:// needs the id of a project and nothing else, such as firestore://my-project");
        }
        Firestore client = client(project);
        FirestoreLockBackendBuilder builder = FirestoreLockBackend.builder(client);
        StoreSettings settings = address.settings();
        settings.fenceMode(builder::fenceMode);
        settings.commandTimeout(builder::commandTimeout);
        builder.collections(
                settings.get(StoreSetting.LOCK_TABLE, "locks"),
                settings.get(StoreSetting.COUNTER_TABLE, "fence_counters"));
        if (settings.isTrue(StoreSetting.MIXED_FLEET)) {
            builder.mixedFleet();
        }
        return new Owned(builder.build(), client);
    }

    private static Firestore client(String project) {
        try {
            return FirestoreOptions.newBuilder().setProjectId(project).build().getService();
        } catch (RuntimeException e) {
            throw new LockException(
                    Code.AUTH_FAILED,
                    "there are no usable Google credentials; log in, or set GOOGLE_APPLICATION_CREDENTIALS",
                    e);
        }
    }

    /** The backend leaves the client open, because it is usually the application's. Here nobody else has it. */
    private static final class Owned extends ForwardingLockBackend {

        private final Firestore client;

        Owned(LockBackend backend, Firestore client) {
            super(backend);
            this.client = client;
        }

        @Override
        public void close() {
            super.close();
            client.shutdownNow();
        }
    }
}
