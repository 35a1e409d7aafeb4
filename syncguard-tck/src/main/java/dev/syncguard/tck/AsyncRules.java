package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.ReleaseRequest;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** AIO: what is special about a backend's own asynchronous operations. */
abstract class AsyncRules extends Rules {

    AsyncRules(LockBackendTck kit) {
        super(kit, Form.BLOCKING);
    }

    private AsyncLockBackend async() {
        return backend.async()
                .orElseGet(() -> Assumptions.abort("this backend has no asynchronous operations of its own"));
    }

    @Test
    @Rule("AIO-1")
    @DisplayName("a failure is in the stage, never thrown")
    void failsInTheStage() {
        AsyncLockBackend async = async();
        LockId lockId = newId(key);
        AbortSignal signal = AbortSignal.create();
        signal.abort();

        List<CompletionStage<?>> stages = List.of(
                async.acquire(new AcquireRequest(key, lockId, MINUTE, false), signal),
                async.release(new ReleaseRequest(lockId, key), signal),
                async.extend(new ExtendRequest(lockId, key, MINUTE, Mode.REPLACE), signal),
                async.isLocked(key, signal),
                async.findByKey(key, signal),
                async.findById(lockId, signal));

        assertThat(stages).allSatisfy(stage -> {
            Throwable failure = catchThrowable(() -> JoinedBackend.join(stage));
            assertThat(failure)
                    .as("the failure, if any")
                    .satisfiesAnyOf(
                            none -> assertThat(none).isNull(),
                            some -> assertThat(some).isInstanceOf(LockException.class));
        });
    }

    @Test
    @Rule("AIO-2")
    @DisplayName("an acquire whose stage is not awaited happens all the same")
    void happensUnawaited() {
        CompletionStage<?> unused = async().acquire(new AcquireRequest(key, newId(key), MINUTE, false), NONE);

        await("the lock stands in the store", () -> store.stored(key.value()).isPresent());
        assertThat(unused).isNotNull();
    }
}
