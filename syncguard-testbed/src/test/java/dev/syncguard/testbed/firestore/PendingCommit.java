package dev.syncguard.testbed.firestore;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * A commit on a thread of its own.
 *
 * @param result how it ends
 */
record PendingCommit(Future<Status.Code> result) {

    static PendingCommit of(ThrowingCallable commit) {
        FutureTask<Status.Code> task = new FutureTask<>(() -> outcomeOf(commit));
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return new PendingCommit(task);
    }

    static Status.Code outcomeOf(ThrowingCallable call) {
        try {
            call.call();
            return Status.Code.OK;
        } catch (Throwable e) {
            return Status.fromThrowable(e).getCode();
        }
    }

    Status.Code outcome() throws Exception {
        return result.get(30, TimeUnit.SECONDS);
    }

    void assertWaits() {
        assertThatThrownBy(() -> result.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
    }
}
