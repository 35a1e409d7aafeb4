package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The rules that only show when many do the same at once. */
abstract class ConcurrencyRules extends Rules {

    private static final int THREADS = 16;
    private static final LockOptions PATIENT = LockOptions.defaults()
            .waitAtMost(Duration.ofSeconds(50))
            .retryDelay(Duration.ofMillis(5))
            .maxRetryDelay(Duration.ofMillis(50));

    ConcurrencyRules(LockBackendTck kit) {
        super(kit, Form.BLOCKING);
    }

    @Test
    @Rule("ACQ-1")
    @DisplayName("64 simultaneous acquires of a key have exactly one winner")
    void oneWinner() {
        List<AcquireOutcome> outcomes = Together.run(64, () -> contend(key));

        assertThat(outcomes).filteredOn(Granted.class::isInstance).hasSize(1);
    }

    @Test
    @Rule("ACQ-1")
    @DisplayName("read-modify-write by 16 guards loses no update, and no two of their leases overlap")
    void excludesEachOther() {
        for (int round = 0; round < 3; round++) {
            String contended = newKey().value();
            AtomicInteger value = new AtomicInteger();
            List<Callable<Held>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                LockBackend shared = i % 2 == 0 ? backend : kit.other();
                tasks.add(() -> incrementUnderLock(shared, contended, value));
            }

            List<Held> leases = Together.run(tasks);

            assertThat(value).hasValue(THREADS);
            assertNoOverlap(leases);
        }
    }

    /** When a lease began and ended for its holder. */
    private record Held(long from, long to) {}

    private static Held incrementUnderLock(LockBackend shared, String key, AtomicInteger value) {
        try (SyncGuard guard = SyncGuard.of(new BorrowedBackend(shared));
                Lease lease = guard.acquire(key, PATIENT)) {
            long from = System.nanoTime();
            int seen = value.get();
            LockBackendTck.pause(Duration.ofMillis(1));
            lease.ensureValid();
            value.set(seen + 1);
            return new Held(from, System.nanoTime());
        }
    }

    private static void assertNoOverlap(List<Held> leases) {
        List<Held> sorted =
                leases.stream().sorted(Comparator.comparing(Held::from)).toList();
        for (int i = 1; i < sorted.size(); i++) {
            assertThat(sorted.get(i).from() - sorted.get(i - 1).to())
                    .as("time between two leases")
                    .isNotNegative();
        }
    }

    @Test
    @Rule("ACQ-3")
    @DisplayName("16 simultaneous acquires with the same lock id get the same grant")
    void sameGrant() {
        LockId lockId = newId(key);

        List<AcquireOutcome> outcomes = Together.run(THREADS, () -> acquire(key, lockId, MINUTE));

        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Granted.class));
        assertThat(outcomes)
                .extracting(outcome -> ((Granted) outcome).fence())
                .containsOnly(stored(key).fence());
    }

    @Test
    @Rule("REL-3")
    @DisplayName("16 simultaneous releases of a lock have exactly one success")
    void oneRelease() {
        LockId lockId = grant(key).lockId();

        List<ReleaseOutcome> outcomes = Together.run(THREADS, () -> backend.release(lockId, NONE));

        assertThat(outcomes).filteredOn(ReleaseOutcome.RELEASED::equals).hasSize(1);
    }

    @Test
    @Rule("FNC-1")
    @DisplayName("fences of concurrent grants are distinct and in the order of time")
    void fencesInOrder() {
        List<Timed> grants = new ArrayList<>();
        Together.run(8, () -> grantAndRelease(key, 6)).forEach(grants::addAll);

        assertThat(grants).extracting(Timed::fence).doesNotHaveDuplicates();
        for (Timed earlier : grants) {
            assertThat(grants)
                    .filteredOn(later -> later.asked() - earlier.granted() > 0)
                    .allSatisfy(later -> assertThat(later.fence()).isGreaterThan(earlier.fence()));
        }
    }

    /** A grant, when it was asked for and when it had come. */
    private record Timed(Fence fence, long asked, long granted) {}

    private List<Timed> grantAndRelease(LockKey contended, int times) {
        List<Timed> grants = new ArrayList<>();
        while (grants.size() < times) {
            long asked = System.nanoTime();
            if (contend(contended) instanceof Granted granted) {
                grants.add(new Timed(granted.fence(), asked, System.nanoTime()));
                backend.release(granted.lockId(), NONE);
            } else {
                LockBackendTck.pause(Duration.ofMillis(1));
            }
        }
        return grants;
    }
}
