package dev.syncguard.application;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.Fence;
import dev.syncguard.SyncGuard;
import dev.syncguard.firestore.FirestoreFenceGuard;
import dev.syncguard.firestore.FirestoreLockBackend;
import java.time.Duration;

/** A program in a package of its own: one of a module is not looked for on the class path. */
public final class FencedApplication {

    private FencedApplication() {}

    /**
     * Locks, and writes behind the guard.
     *
     * @param args host and port of the server
     * @throws Exception if something is missing
     */
    public static void main(String[] args) throws Exception {
        Firestore client = FirestoreOptions.newBuilder()
                .setProjectId("syncguard-test")
                .setEmulatorHost(args[0])
                .build()
                .getService();
        // A cold client needs seconds for its first request on a busy machine.
        try (SyncGuard guard = SyncGuard.of(FirestoreLockBackend.builder(client)
                .commandTimeout(Duration.ofMinutes(1))
                .build())) {
            FirestoreFenceGuard fences = FirestoreFenceGuard.create(client);
            Fence fence = guard.call(
                    "account:7",
                    lease -> client.runTransaction(transaction -> {
                                fences.advance(transaction, "account:7", lease.fence());
                                return lease.fence();
                            })
                            .get());
            System.out.println(FirestoreFenceGuard.class.getModule() + ", fence " + fence);
        } finally {
            client.shutdownNow();
        }
    }
}
