package dev.syncguard.examples;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class GuideTest {

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();

    @Test
    void fences() {
        FencedAccount account = new FencedAccount();

        assertThat(Guide.fences(guard, account)).isEqualTo("accepted");
        account.deposit(1, new Fence(1000));
        assertThat(Guide.fences(guard, account)).startsWith("refused");
    }

    @Test
    void longWork() {
        List<Integer> done = new CopyOnWriteArrayList<>();
        Runnable minute = () -> simulator.advance(ofMinutes(1));

        Guide.longWork(guard, List.of(minute, minute, () -> done.add(1)), loss -> {});
        assertThat(done).hasSize(1);

        Runnable lose = () -> simulator.loseLock("report:2026");
        assertThatThrownBy(() -> Guide.longWork(guard, List.of(lose, minute, () -> done.add(2)), loss -> {}))
                .isInstanceOf(LeaseLostException.class);
        assertThat(done).as("the step after the loss did not run").hasSize(1);
    }

    @Test
    void lostWork() {
        assertThat(Guide.lostWork(guard, () -> {})).isEqualTo("charged");
        assertThat(Guide.lostWork(guard, () -> simulator.advance(ofMinutes(1))))
                .isEqualTo("too late, the work had ended with: charged");
    }

    @Test
    void errors() {
        assertThat(Guide.errors(guard)).isEqualTo("got it with fence 000000000000001");
        simulator.failNext(Operation.ACQUIRE, Code.AUTH_FAILED);
        assertThat(Guide.errors(guard)).isEqualTo("AUTH_FAILED, nothing happened");
        simulator.dropReply(Operation.ACQUIRE);
        assertThat(Guide.errors(guard)).isEqualTo("NETWORK_TIMEOUT, may have happened");
    }

    @Test
    void waiting() {
        assertThat(Guide.waiting(guard, AbortSignal.none())).isEqualTo(new Fence(1));
        AbortSignal aborted = AbortSignal.create();
        aborted.abort();
        assertThatThrownBy(() -> Guide.waiting(guard, aborted)).hasMessageContaining("Aborted");
    }

    @Test
    void labelled() {
        SyncGuard labelled = Guide.labelled(simulator.newBackend());

        labelled.acquire("invoice:42");
        assertThat(guard.lookupRaw("invoice:42").orElseThrow().label()).contains("web-3:4711");
    }

    @Test
    void cron() {
        List<Fence> runs = new CopyOnWriteArrayList<>();

        Guide.cron(guard, runs::add);
        Guide.cron(simulator.newGuard(), runs::add);
        assertThat(runs).hasSize(1);
        simulator.advance(ofMinutes(60));
        Guide.cron(simulator.newGuard(), runs::add);
        assertThat(runs).hasSize(2);
    }

    @Test
    void asynchronous() {
        assertThat(Guide.asynchronous(guard, fence -> CompletableFuture.completedStage("page " + fence))
                        .toCompletableFuture())
                .isCompletedWithValue("page 000000000000001");
    }

    @Test
    void telemetry() {
        List<String> lines = new CopyOnWriteArrayList<>();
        try (SyncGuard observed = Guide.telemetry(new MemoryLockBackend(), lines)) {
            observed.run("invoice:42", lease -> {});
        }
        assertThat(lines).hasSize(4).allSatisfy(line -> assertThat(line).doesNotContain("invoice:42"));
    }

    @Test
    void testing() {
        LockSimulator simulator = new LockSimulator();
        SyncGuard here = simulator.newGuard();
        SyncGuard there = simulator.newGuard();

        Lease lease = here.acquire("invoice:42", LockOptions.defaults().autoExtend());
        simulator.advance(ofMinutes(10)); // renewed all the time
        assertThat(lease.isValid()).isTrue();

        simulator.pauseHolder("invoice:42", ofMinutes(1)); // a long garbage collection
        assertThat(lease.wasLost()).isTrue();
        assertThat(there.acquire("invoice:42").fence().isNewerThan(lease.fence()))
                .isTrue();

        simulator.dropReply(Operation.ACQUIRE); // the store grants, the reply is lost
        assertThatThrownBy(() -> here.acquire("receipt:7")).hasMessageContaining("NetworkTimeout");
        assertThat(there.isLocked("receipt:7")).isFalse(); // taken back in the background
    }
}
