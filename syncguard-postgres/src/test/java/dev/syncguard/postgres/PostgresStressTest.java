package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.NONE;
import static dev.syncguard.postgres.Locks.acquire;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Fence;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.ReleaseOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Eight threads on four keys, with extensions and locks that are left to expire. Runs 20 seconds;
 * {@code -Dsyncguard.stress.seconds=60} or more for a thorough run.
 */
class PostgresStressTest {

    private static final int THREADS = 8;
    private static final int KEYS = 4;
    private static final long SECONDS = Long.getLong("syncguard.stress.seconds", 20);
    private static final Ttl TTL = new Ttl(300);

    /** One grant, on the clock that all threads share. */
    private record Held(int key, Fence fence, long asked, long granted, long believedUntil, boolean abandoned) {}

    @Test
    @DisplayName("no fence is granted twice or out of order, and no two believed leases overlap")
    void stress() {
        try (TestDatabase database = TestDatabase.create();
                LockBackend backend = database.builder().build()) {
            List<LockKey> keys =
                    IntStream.range(0, KEYS).mapToObj(i -> Locks.newKey()).toList();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            List<Held> history = new ArrayList<>();
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            try {
                List<CompletableFuture<List<Held>>> workers = IntStream.range(0, THREADS)
                        .mapToObj(i -> CompletableFuture.supplyAsync(() -> work(backend, keys, end, i), threads))
                        .toList();
                workers.forEach(worker -> history.addAll(worker.join()));
            } finally {
                threads.shutdownNow();
            }

            for (int key = 0; key < KEYS; key++) {
                int wanted = key;
                judge(history.stream().filter(held -> held.key == wanted).toList());
            }
            // A run that saw too little proves nothing.
            assertThat(history).hasSizeGreaterThan((int) SECONDS * 20);
            assertThat(history).filteredOn(Held::abandoned).hasSizeGreaterThan((int) SECONDS / 4);
        }
    }

    private static List<Held> work(LockBackend backend, List<LockKey> keys, long end, int seed) {
        Random random = new Random(seed);
        List<Held> held = new ArrayList<>();
        while (System.nanoTime() - end < 0) {
            int key = random.nextInt(KEYS);
            long asked = System.nanoTime();
            if (acquire(backend, keys.get(key), LockIds.random(), TTL) instanceof Granted granted) {
                held.add(hold(backend, key, granted, asked, random));
            } else {
                LockSupport.parkNanos(random.nextInt(2_000_000));
            }
        }
        return held;
    }

    /** Holds for a while, extends sometimes, also too late, and then releases or just goes away. */
    private static Held hold(LockBackend backend, int key, Granted granted, long asked, Random random) {
        long received = System.nanoTime();
        long until = asked + TTL.nanos();
        boolean late = random.nextInt(200) == 0;
        LockSupport.parkNanos(late ? TTL.nanos() + 1_000_000 : random.nextInt(3_000_000));
        if (random.nextInt(3) == 0) {
            long extending = System.nanoTime();
            if (backend.extend(granted.lockId(), TTL, NONE) instanceof Extended) {
                until = extending + TTL.nanos();
            }
        }
        boolean abandon = random.nextInt(150) == 0;
        if (!abandon) {
            until = Math.min(until, System.nanoTime());
            ReleaseOutcome outcome = backend.release(granted.lockId(), NONE);
            assertThat(outcome).isNotNull();
        }
        return new Held(key, granted.fence(), asked, received, until, abandon || late);
    }

    private static void judge(List<Held> grants) {
        assertThat(grants).extracting(Held::fence).doesNotHaveDuplicates();
        List<Held> byFence =
                grants.stream().sorted(Comparator.comparing(Held::fence)).toList();
        Held lastAsked = byFence.get(0);
        for (int i = 1; i < byFence.size(); i++) {
            Held grant = byFence.get(i);
            assertThat(grant.granted - lastAsked.asked)
                    .as("fence %s was received after every lower one was asked for", grant.fence)
                    .isPositive();
            assertThat(grant.granted - byFence.get(i - 1).believedUntil)
                    .as("lease %s begins after the one before it", grant.fence)
                    .isNotNegative();
            lastAsked = grant.asked - lastAsked.asked > 0 ? grant : lastAsked;
        }
    }
}
