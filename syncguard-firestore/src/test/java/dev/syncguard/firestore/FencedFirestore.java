package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.tck.FencedStore;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** Values in documents behind the guard. */
record FencedFirestore(Firestore client, FirestoreFenceGuard fences, boolean asynchronous) implements FencedStore {

    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private DocumentReference document(String resource) {
        // Whatever the caller passes: it is the guard that judges the name.
        return client.collection("journal").document(StorageKeys.hash(String.valueOf(resource)));
    }

    @Override
    public void write(String resource, Fence fence, String value) throws Exception {
        while (true) {
            try {
                transaction(resource, fence, value).get();
                return;
            } catch (ExecutionException e) {
                for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                    if (cause instanceof LockException refused) {
                        throw refused;
                    }
                }
                if (!FirestoreErrors.isConflict(e, false)) {
                    throw e;
                }
            }
        }
    }

    private ApiFuture<?> transaction(String resource, Fence fence, String value) {
        if (asynchronous) {
            return client.runAsyncTransaction(transaction -> ApiFutures.transform(
                    fences.advanceAsync(transaction, resource, fence),
                    accepted -> transaction.set(document(resource), Map.of("text", value)),
                    Runnable::run));
        }
        return client.runTransaction(transaction -> {
            fences.advance(transaction, resource, fence);
            return transaction.set(document(resource), Map.of("text", value));
        });
    }

    @Override
    public boolean writeAndCrash(String resource, Fence fence, String value) throws Exception {
        try {
            client.runTransaction(transaction -> {
                        fences.advance(transaction, resource, fence);
                        transaction.set(document(resource), Map.of("text", value));
                        throw new Crash();
                    })
                    .get();
            return false;
        } catch (ExecutionException e) {
            return true;
        }
    }

    @Override
    public Optional<String> read(String resource) throws Exception {
        return Optional.ofNullable(document(resource).get().get().getString("text"));
    }

    @Override
    public Optional<Fence> highest(String resource) throws Exception {
        return fences.highest(resource);
    }
}
