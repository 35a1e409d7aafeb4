package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Transaction;
import dev.syncguard.CheckReturnValue;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.fence.FenceClaim;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.spi.support.FirestoreNames;
import dev.syncguard.spi.support.Settings;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a stale writer in the writer's own transaction.
 *
 * <pre>{@code
 * FirestoreFenceGuard fences = FirestoreFenceGuard.create(firestore);
 *
 * firestore.runTransaction(transaction -> {
 *     DocumentSnapshot account = transaction.get(reference).get();     // reads first
 *     fences.advance(transaction, "account:7", lease.fence());         // then the check
 *     transaction.update(reference, "balance", 100);                   // then the writes
 *     return null;
 * }).get();
 * }</pre>
 *
 * <p>The check reads and writes one document, so the transaction conflicts with every other writer to the resource: the
 * order of the commits decides. As in any transaction of Firestore all reads come before the first write, and the check is
 * one. A transaction that the client repeats is checked again. A {@link StaleFenceException} ends it without repetition and
 * without a commit; it is the cause of the failure that {@code runTransaction} reports.
 *
 * <p>If the reply of a commit is lost, the client runs the transaction again although it was committed. It is accepted
 * again, so a write that must not happen twice recognises itself by an id of its own; or it is refused, if a newer holder
 * came in between, after a first run that was written.
 */
public final class FirestoreFenceGuard {

    /** The collection of the default guard. */
    public static final String DEFAULT_COLLECTION = "fences";

    private static final String FENCE = "fence";
    private static final String RESOURCE = "resource";

    private final CollectionReference collection;

    private FirestoreFenceGuard(CollectionReference collection) {
        this.collection = collection;
    }

    /**
     * Creates a guard in the collection {@value #DEFAULT_COLLECTION}.
     *
     * @param firestore the client of the transactions
     * @return a guard that any thread may use
     */
    public static FirestoreFenceGuard create(Firestore firestore) {
        return in(firestore, DEFAULT_COLLECTION);
    }

    /**
     * Creates a guard in another collection.
     *
     * @param firestore the client of the transactions
     * @param collection the id of a collection that holds nothing else
     * @return a guard that any thread may use
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if this is no id of a collection
     */
    public static FirestoreFenceGuard in(Firestore firestore, String collection) {
        Settings.required("firestore", firestore);
        if (!FirestoreNames.isLegal(Settings.required("collection", collection))) {
            throw new LockException(Code.INVALID_ARGUMENT, "this is no id of a collection in Firestore");
        }
        return new FirestoreFenceGuard(firestore.collection(collection));
    }

    /**
     * Accepts a fence that is as high as the highest one so far, or higher, and remembers it when the transaction commits.
     * Waits for the document.
     *
     * @param transaction the transaction of the protected write, before its first write
     * @param resource what is written to: a text of 1 to 512 bytes, best the key of the lock
     * @param fence the fence of the writer's lease
     * @throws StaleFenceException if a newer fence was accepted before; let it pass, and this run writes nothing
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if an argument is not allowed, with {@link Code#INTERNAL} if
     * the     document is not one of a guard
     * @throws ExecutionException if the read failed, as the client throws it
     * @throws InterruptedException if this thread was interrupted
     */
    public void advance(Transaction transaction, String resource, Fence fence)
            throws ExecutionException, InterruptedException {
        FenceClaim claim = FenceClaim.of(resource, fence);
        DocumentReference document = document(claim.resource());
        DocumentSnapshot found =
                Settings.required("transaction", transaction).get(document).get();
        judge(transaction, document, claim, found);
    }

    /**
     * Does the same without a blocked thread, for {@code runAsyncTransaction}. The writes must wait for the result: nothing
     * is checked before it is there.
     *
     * @param transaction the transaction of the protected write, before its first write
     * @param resource what is written to
     * @param fence the fence of the writer's lease
     * @return completes with the fence if it is accepted; fails as {@link #advance} does, also for arguments
     */
    @CheckReturnValue
    public ApiFuture<Fence> advanceAsync(Transaction transaction, String resource, Fence fence) {
        try {
            FenceClaim claim = FenceClaim.of(resource, fence);
            DocumentReference document = document(claim.resource());
            return ApiFutures.transform(
                    Settings.required("transaction", transaction).get(document),
                    found -> judge(transaction, document, claim, found),
                    Runnable::run);
        } catch (LockException e) {
            return ApiFutures.immediateFailedFuture(e);
        }
    }

    private static Fence judge(
            Transaction transaction, DocumentReference document, FenceClaim claim, DocumentSnapshot found) {
        claim.over(stored(claim.resource(), found));
        // Also an equal fence: what comes after the check must not depend on whether another writer was here before.
        transaction.set(
                document,
                Map.of(
                        FENCE,
                        claim.fence().toString(),
                        RESOURCE,
                        claim.resource().value()));
        return claim.fence();
    }

    /**
     * Returns the highest fence that was accepted for a resource. For display and tests: a check with it protects nothing.
     *
     * @param resource what is written to
     * @return the fence, or empty if none was accepted yet
     * @throws ExecutionException if the read failed, as the client throws it
     * @throws InterruptedException if this thread was interrupted
     */
    public Optional<Fence> highest(String resource) throws ExecutionException, InterruptedException {
        LockKey key = LockKey.of(resource);
        return Optional.ofNullable(stored(key, document(key).get().get()));
    }

    private DocumentReference document(LockKey resource) {
        return collection.document(FirestoreNames.lock(resource));
    }

    /** The stored name is compared: the hashed form of a name that is no legal id is itself a legal name. */
    private static @Nullable Fence stored(LockKey resource, DocumentSnapshot found) {
        if (!found.exists()) {
            return null;
        }
        if (found.get(FENCE) instanceof String fence && resource.value().equals(found.get(RESOURCE))) {
            try {
                return Fence.parse(fence);
            } catch (LockException e) {
                throw foreign(resource);
            }
        }
        throw foreign(resource);
    }

    private static LockException foreign(LockKey resource) {
        return new LockException(
                Code.INTERNAL,
                "the document where the fence of this resource stands is not one of a guard; nothing was written; use"
                        + " another collection [key " + resource.hash() + "]");
    }
}
