package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.WriteResult;
import com.google.common.util.concurrent.MoreExecutors;
import dev.syncguard.spi.Liveness;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Deletes locks that ended long ago, if the application wants it: in the background, one at a time.
 *
 * <p>It sees documents of the collection of locks only, never a counter. The deletion holds only for the very version of
 * the document that was judged, so a lock that was extended or granted meanwhile stays.
 */
final class FirestoreCleanup {

    private final boolean wanted;
    private final AtomicBoolean busy = new AtomicBoolean();

    FirestoreCleanup(boolean wanted) {
        this.wanted = wanted;
    }

    void consider(DocumentSnapshot snapshot, Moment moment) {
        Timestamp version = snapshot.getUpdateTime();
        if (!wanted || version == null || !endedLongAgo(snapshot, moment) || !busy.compareAndSet(false, true)) {
            return;
        }
        ApiFuture<WriteResult> deletion = snapshot.getReference().delete(Precondition.updatedAt(version));
        deletion.addListener(() -> busy.set(false), MoreExecutors.directExecutor());
    }

    private static boolean endedLongAgo(DocumentSnapshot snapshot, Moment moment) {
        return LockDocument.of(snapshot)
                .filter(document -> Liveness.isRemovable(document.lock().expiresAtMs(), moment.sentMs()))
                .isPresent();
    }
}
