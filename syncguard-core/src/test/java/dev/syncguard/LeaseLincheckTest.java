package dev.syncguard;

import dev.syncguard.memory.LockSimulator;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lease used by several threads at once behaves as if they had taken turns. */
@Tag("once") // what it looks at does not depend on the JDK
public class LeaseLincheckTest {

    private final SyncGuard guard = new LockSimulator().newGuard();
    private final Lease lease = guard.acquire("k");

    @Operation
    public boolean release() {
        return lease.release();
    }

    @Operation
    public boolean releaseAsync() {
        return guard.async().release(lease.lockId()).toCompletableFuture().join();
    }

    @Operation
    public boolean extend() {
        return lease.extend(Duration.ofMinutes(1)).ok();
    }

    @Operation
    public void close() {
        lease.close();
    }

    @Operation
    public boolean isLocked() {
        return guard.isLocked("k");
    }

    @Operation
    public boolean owns() {
        return guard.owns(lease.lockId());
    }

    @Test
    void stress() {
        new StressOptions()
                .iterations(30)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(2)
                .check(LeaseLincheckTest.class);
    }
}
