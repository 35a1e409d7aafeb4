package dev.syncguard.memory;

import dev.syncguard.LockId;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The index of lock ids is linearizable, whenever it moves them. Its map is small, so that few steps go through it. */
@Tag("once") // what it looks at does not depend on the JDK
@Param(name = "id", gen = IntGen.class, conf = "0:1")
@Param(name = "slot", gen = IntGen.class, conf = "0:1")
public class LockIdIndexLincheckTest {

    private static final List<LockId> IDS = List.of(LockId.parse("0".repeat(22)), LockId.parse("1".repeat(22)));

    private final MemoryStore store = new MemoryStore(() -> 0);
    private final List<MemorySlot> slots = List.of(store.slot("a"), store.slot("b"));
    private final LockIdIndex index = new LockIdIndex(store, 1);

    /** One of the ids was drawn here, the other one comes from elsewhere. */
    public LockIdIndexLincheckTest() {
        index.drawn(IDS.get(0));
    }

    @Operation
    public boolean add(@Param(name = "id") int id, @Param(name = "slot") int slot) {
        return index.add(IDS.get(id), slots.get(slot));
    }

    @Operation
    public void remove(@Param(name = "id") int id, @Param(name = "slot") int slot) {
        index.remove(IDS.get(id), slots.get(slot));
    }

    @Operation
    public int find(@Param(name = "id") int id) {
        return slots.indexOf(index.find(IDS.get(id)));
    }

    @Operation
    public void settle() {
        index.settle();
    }

    @Test
    void modelChecking() {
        new ModelCheckingOptions()
                .iterations(20)
                .invocationsPerIteration(200)
                .threads(2)
                .actorsPerThread(3)
                .check(LockIdIndexLincheckTest.class);
    }

    @Test
    void stress() {
        new StressOptions()
                .iterations(20)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(3)
                .check(LockIdIndexLincheckTest.class);
    }
}
