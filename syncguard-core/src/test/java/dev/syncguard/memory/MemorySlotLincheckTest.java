package dev.syncguard.memory;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The in-memory store is linearizable: whatever threads do, some order of whole operations explains the answers. */
@Tag("once") // what it looks at does not depend on the JDK
@Param(name = "id", gen = IntGen.class, conf = "0:2")
@Param(name = "key", gen = IntGen.class, conf = "0:1")
public class MemorySlotLincheckTest {

    private static final List<LockKey> KEYS = List.of(LockKey.of("a"), LockKey.of("b"));
    private static final List<LockId> IDS =
            List.of(LockId.parse("0".repeat(22)), LockId.parse("1".repeat(22)), LockId.parse("2".repeat(22)));

    private final MemoryStore store = new MemoryStore(() -> 1_000_000);

    /** An id belongs to one key, as a guard uses it; two of the three ids compete for the first key. */
    @Operation
    public String acquire(@Param(name = "id") int id) {
        AcquireRequest request = new AcquireRequest(KEYS.get(id % 2), IDS.get(id), Ttl.DEFAULT, false);
        return store.slot(request.key().value()).acquire(request).toString();
    }

    @Operation
    public String release(@Param(name = "id") int id) {
        MemorySlot slot = store.slotOf(IDS.get(id));
        return slot == null ? "NOT_FOUND" : slot.release(IDS.get(id)).toString();
    }

    @Operation
    public String extend(@Param(name = "id") int id) {
        MemorySlot slot = store.slotOf(IDS.get(id));
        return slot == null
                ? "NOT_FOUND"
                : slot.extend(new ExtendRequest(IDS.get(id), null, new Ttl(60_000), Mode.REPLACE))
                        .toString();
    }

    @Operation
    public boolean isLocked(@Param(name = "key") int key) {
        return store.find(KEYS.get(key).value()).isPresent();
    }

    @Test
    void modelChecking() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(200)
                .threads(2)
                .actorsPerThread(3)
                .check(MemorySlotLincheckTest.class);
    }

    @Test
    void stress() {
        new StressOptions()
                .iterations(20)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(3)
                .check(MemorySlotLincheckTest.class);
    }
}
