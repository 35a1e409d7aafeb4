package dev.syncguard.firestore;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.spi.ReleaseOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Sends one release of a lock id at a time; another one meanwhile waits for its outcome.
 *
 * <p>Two at once would meet in the store, and the second could not tell the first one's success from its own (see {@link
 * ReleaseStep}).
 */
final class Releases {

    private final ConcurrentHashMap<LockId, CompletableFuture<ReleaseOutcome>> sent = new ConcurrentHashMap<>();

    CompletableFuture<ReleaseOutcome> send(LockId lockId, Supplier<CompletableFuture<ReleaseOutcome>> release) {
        CompletableFuture<ReleaseOutcome> mine = new CompletableFuture<>();
        CompletableFuture<ReleaseOutcome> theirs = sent.putIfAbsent(lockId, mine);
        if (theirs != null) {
            return join(lockId, theirs, release);
        }
        var unused = release.get().whenComplete((outcome, failure) -> {
            sent.remove(lockId, mine);
            if (failure == null) {
                mine.complete(outcome);
            } else {
                mine.completeExceptionally(unwrap(failure));
            }
        });
        return mine;
    }

    /** At most one release succeeds (REL-3). One that was aborted by its own caller says nothing about the others. */
    private CompletableFuture<ReleaseOutcome> join(
            LockId lockId,
            CompletableFuture<ReleaseOutcome> theirs,
            Supplier<CompletableFuture<ReleaseOutcome>> release) {
        return theirs.thenApply(outcome -> outcome == ReleaseOutcome.RELEASED ? ReleaseOutcome.NOT_FOUND : outcome)
                .exceptionallyCompose(failure -> {
                    Throwable cause = unwrap(failure);
                    boolean aborted = cause instanceof LockException known && known.code() == Code.ABORTED;
                    return aborted ? send(lockId, release) : CompletableFuture.failedFuture(cause);
                });
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
