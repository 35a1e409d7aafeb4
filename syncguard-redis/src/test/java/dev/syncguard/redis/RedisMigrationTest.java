package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.testbed.RedisCluster;
import dev.syncguard.testbed.SlotMove;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * All namespaces move to other nodes, in both orders of keys, while clients lock, extend, look and release. The only
 * allowed failure is "unavailable" with a known outcome, after which the same step is tried again.
 */
@DisplayName("a cluster that moves its slots under load")
class RedisMigrationTest {

    private static final int WORKERS = 4;
    private static final int KEYS = 3 * RedisKeys.SHARDS;

    private final RedisCluster cluster = RedisCluster.start();
    private final List<RedisLockBackend> backends = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger grants = new AtomicInteger();
    private final Map<LockKey, AtomicInteger> holders = new ConcurrentHashMap<>();
    private final Map<LockKey, Long> fences = new ConcurrentHashMap<>();
    private volatile boolean done;

    @AfterEach
    void close() {
        done = true;
        threads.shutdownNow();
        backends.forEach(RedisLockBackend::close);
        cluster.close();
    }

    @Test
    @DisplayName("gives no wrong answer and leaves no lock behind")
    void migrates() throws Exception {
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            RedisLockBackend backend = RedisLockBackend.builder(cluster.url())
                    .commandTimeout(Duration.ofSeconds(10)) // for a busy machine
                    .build();
            backends.add(backend);
            Random random = new Random(i);
            workers.add(threads.submit(() -> work(backend, random)));
        }
        for (SlotOrder order : SlotOrder.values()) {
            for (int n = 0; n < RedisKeys.SHARDS; n++) {
                move(n, order);
            }
        }
        done = true;
        for (Future<?> worker : workers) {
            worker.get();
        }

        assertThat(wrong).isEmpty();
        assertThat(grants.get()).isGreaterThan(100);
        assertThat(cluster.nodes())
                .as("nodes that refused a step because its slot was moving")
                .anyMatch(node -> node.command("INFO", "errorstats").contains("errorstat_TRYAGAIN"));
        assertThat(stored()).allMatch(name -> name.contains(":fence:"));
    }

    private void move(int n, SlotOrder order) {
        SlotMove move = cluster.beginMove("{syncguard:" + n + "}:x");
        letWork();
        move.moveKeys(order::isFirst);
        letWork();
        move.finish();
        letWork();
    }

    /** A moment of work between two steps of a move. */
    private void letWork() {
        int before = grants.get();
        for (int i = 0; i < 20 && grants.get() < before + 5; i++) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    private List<String> stored() {
        return cluster.nodes().stream()
                .flatMap(node -> node.command("KEYS", "*").lines())
                .filter(name -> !name.isEmpty())
                .toList();
    }

    private void work(RedisLockBackend backend, Random random) {
        while (!done) {
            LockKey key = LockKey.of("k" + random.nextInt(KEYS));
            AcquireRequest request = new AcquireRequest(key, backend.newLockId(key), new Ttl(120_000), false);
            if (until(() -> backend.acquire(request, none())) instanceof Granted granted) {
                enter(key, granted);
                hold(backend, key, granted.lockId(), random);
                holders.get(key).decrementAndGet();
                release(backend, granted.lockId(), random.nextBoolean() ? key : null);
            }
        }
    }

    private void enter(LockKey key, Granted granted) {
        grants.incrementAndGet();
        if (holders.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet() != 1) {
            wrong.add("two holders");
        }
        Long last = fences.put(key, granted.fence().value());
        if (last != null && last >= granted.fence().value()) {
            wrong.add("fence " + granted.fence() + " after " + last);
        }
    }

    private void hold(RedisLockBackend backend, LockKey key, LockId lockId, Random random) {
        LockKey known = random.nextBoolean() ? key : null;
        Mode mode = random.nextBoolean() ? Mode.AT_LEAST : Mode.REPLACE;
        ExtendRequest extension = new ExtendRequest(lockId, known, new Ttl(120_000), mode);
        expect("extended", until(() -> backend.extend(extension, none())) instanceof Extended);
        expect("found by id", until(() -> backend.findById(lockId, none())).isPresent());
        expect("found by key", until(() -> backend.findByKey(key, none())).isPresent());
        expect("locked", until(() -> backend.isLocked(key, none())));
    }

    private void release(RedisLockBackend backend, LockId lockId, @Nullable LockKey known) {
        ReleaseRequest request = new ReleaseRequest(lockId, known);
        expect("released", until(() -> backend.release(request, none())) == ReleaseOutcome.RELEASED);
    }

    private void expect(String what, boolean answer) {
        if (!answer) {
            wrong.add("a live lock was not " + what);
        }
    }

    /** Nothing happened in a step that was unavailable, so it may be repeated. */
    private <T> T until(Supplier<T> step) {
        while (true) {
            try {
                return step.get();
            } catch (LockException e) {
                if (e.code() != Code.SERVICE_UNAVAILABLE || e.outcomeUnknown()) {
                    wrong.add(e + " caused by " + e.getCause());
                    throw e;
                }
            }
        }
    }
}
