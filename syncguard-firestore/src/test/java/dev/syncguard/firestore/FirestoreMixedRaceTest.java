package dev.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.testbed.firestore.FirestoreReferenceClient;
import dev.syncguard.testbed.firestore.FirestoreReferenceClient.Lock;
import dev.syncguard.testbed.firestore.FirestoreServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** This library and the reference client race for one key, in both concurrency modes of a database. */
@Tag("once")
class FirestoreMixedRaceTest {

    private static final String KEY = "race";
    private static final int OF_EACH = 3;
    private static final int CYCLES = 8;

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final List<Fence> fences = new ArrayList<>(); // guarded by the lock under test

    @ParameterizedTest(name = "optimistic: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("no two hold the lock at once, and fences rise from holder to holder")
    void excludeEachOther(boolean optimistic) throws Exception {
        try (FirestoreServer server = optimistic ? FirestoreServer.startOptimistic() : FirestoreServer.start()) {
            Firestore client = Clients.warm(server.hostAndPort());
            List<Callable<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < OF_EACH; i++) {
                clients.add(() -> ours(client));
                clients.add(() -> reference(client));
            }
            ExecutorService threads = Executors.newFixedThreadPool(clients.size());
            int grants = 0;
            for (Future<Integer> done : threads.invokeAll(clients)) {
                grants += done.get();
            }
            threads.shutdown();
            client.shutdownNow();

            assertThat(overlaps).hasValue(0);
            assertThat(grants).isEqualTo(2 * OF_EACH * CYCLES);
            assertThat(fences).hasSize(grants).isSorted().doesNotHaveDuplicates();
        }
    }

    private int ours(Firestore client) {
        LockOptions patient = LockOptions.defaults().waitAtMost(Duration.ofMinutes(2));
        FirestoreLockBackend backend = FirestoreLockBackend.builder(client)
                .mixedFleet()
                .commandTimeout(Duration.ofSeconds(30)) // for a busy machine
                .build();
        try (SyncGuard guard = SyncGuard.of(backend)) {
            for (int i = 0; i < CYCLES; i++) {
                try (Lease lease = guard.acquire(KEY, patient)) {
                    hold(lease.fence());
                }
            }
        }
        return CYCLES;
    }

    private int reference(Firestore client) throws InterruptedException {
        FirestoreReferenceClient reference = new FirestoreReferenceClient(client);
        for (int i = 0; i < CYCLES; i++) {
            Lock lock = poll(reference);
            hold(Fence.parse(lock.fence()));
            while (!released(reference, lock)) {
                Thread.sleep(20);
            }
        }
        return CYCLES;
    }

    /** The client gives up after five conflicts; the reference's callers try again. */
    private static Lock poll(FirestoreReferenceClient reference) throws InterruptedException {
        while (true) {
            try {
                Optional<Lock> lock = reference.acquire(KEY, 60_000);
                if (lock.isPresent()) {
                    return lock.get();
                }
            } catch (IllegalStateException contention) {
                assertThat(contention).hasMessageMatching("(?s).*(ABORTED|too many retries).*");
            }
            Thread.sleep(ThreadLocalRandom.current().nextLong(10, 60));
        }
    }

    private static boolean released(FirestoreReferenceClient reference, Lock lock) {
        try {
            reference.release(lock.lockId());
            return true;
        } catch (IllegalStateException contention) {
            assertThat(contention).hasMessageMatching("(?s).*(ABORTED|too many retries).*");
            return false;
        }
    }

    private void hold(Fence fence) {
        if (inside.incrementAndGet() > 1) {
            overlaps.incrementAndGet();
        }
        fences.add(fence);
        inside.decrementAndGet();
    }
}
