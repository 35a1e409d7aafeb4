package dev.syncguard.faults.recovery;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.faults.client.Pause;
import dev.syncguard.faults.client.Resources;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.testbed.PostgresServer;
import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Acquires that run into their limits, and what they leave behind in this process. */
final class Timeouts {

    private static final int CALLERS = 128;
    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(200);
    private static final Duration LATE = Duration.ofMillis(250);
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final LockOptions IMPATIENT = LockOptions.defaults()
            .ttl(Duration.ofSeconds(1))
            .waitAtMost(Duration.ofMillis(1))
            .retryDelay(Duration.ofMillis(1));

    private Timeouts() {}

    /** Half of them wait in vain for a lock, half of them for the store. */
    static Outcome redis(int count) {
        try (RedisServer server = RedisServer.start();
                TcpProxy proxy = TcpProxy.to(server.port())) {
            String url = "redis://127.0.0.1:" + proxy.port();
            use(url, server, proxy, 1);
            Resources before = Resources.now();
            String leases = use(url, server, proxy, count / 2);
            return outcome("Redis", leases, before, 0);
        }
    }

    private static String use(String url, RedisServer server, TcpProxy proxy, int each) {
        try (SyncGuard guard = Restarts.opened(RedisLockBackend.builder(url).commandTimeout(COMMAND_TIMEOUT)::build);
                SyncGuard other = Restarts.opened(RedisLockBackend.builder(server.url())::build)) {
            AtomicInteger inVain = acquireHeld(guard, other, each);
            proxy.latency(LATE); // not for so long that the connection counts as silent
            AtomicInteger unanswered = new AtomicInteger();
            callers(each, unanswered, number -> unanswered(guard, "slow-" + number % 512));
            proxy.latency(Duration.ZERO);
            awaitBackground(guard);
            return counted(inVain.get(), unanswered.get());
        }
    }

    /** All of them wait in vain for a lock: an unanswered statement costs a connection. */
    static Outcome postgres(int count) {
        try (PostgresServer server = PostgresServer.start(Map.of())) {
            int unused = usePostgres(server, 1)[0];
            Resources before = Resources.now();
            int[] counts = usePostgres(server, count);
            return outcome("PostgreSQL", counted(counts[0], 0), before, counts[1]);
        }
    }

    private static int[] usePostgres(PostgresServer server, int count) {
        try (HikariDataSource pool = Restarts.poolWithSchema(server);
                SyncGuard guard = Restarts.opened(PostgresLockBackend.builder(pool)::build);
                SyncGuard other = Restarts.opened(PostgresLockBackend.builder(pool)::build)) {
            int inVain = acquireHeld(guard, other, count).get();
            awaitBackground(guard);
            return new int[] {inVain, pool.getHikariPoolMXBean().getActiveConnections()};
        }
    }

    private static AtomicInteger acquireHeld(SyncGuard guard, SyncGuard other, int count) {
        AtomicInteger inVain = new AtomicInteger();
        LockOptions long10 = LockOptions.defaults().ttl(Duration.ofMinutes(10));
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            held.add(other.acquire("held-" + i, long10));
        }
        callers(count, inVain, number -> timesOut(guard, "held-" + number % CALLERS));
        held.forEach(Lease::close);
        return inVain;
    }

    private interface Call {
        boolean timesOut(int number);
    }

    private static void callers(int count, AtomicInteger timeouts, Call call) {
        List<Thread> callers = new ArrayList<>();
        AtomicInteger numbers = new AtomicInteger();
        long start = System.nanoTime();
        for (int i = 0; i < CALLERS; i++) {
            callers.add(new Thread(
                    () -> {
                        while (timeouts.get() < count && System.nanoTime() - start < LONGEST.toNanos()) {
                            if (call.timesOut(numbers.incrementAndGet())) {
                                timeouts.incrementAndGet();
                            }
                        }
                    },
                    "caller"));
        }
        callers.forEach(Thread::start);
        for (Thread caller : callers) {
            try {
                caller.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean timesOut(SyncGuard guard, String key) {
        try {
            guard.acquire(key, IMPATIENT).close();
            return false;
        } catch (AcquisitionTimeoutException e) {
            return true;
        }
    }

    private static boolean unanswered(SyncGuard guard, String key) {
        try {
            if (guard.tryAcquire(key, IMPATIENT) instanceof Lease lease) {
                lease.close();
            }
            return false;
        } catch (LockException e) {
            if (e.code() != LockException.Code.NETWORK_TIMEOUT) {
                Pause.millis(5);
            }
            return e.code() == LockException.Code.NETWORK_TIMEOUT;
        }
    }

    private static void awaitBackground(SyncGuard guard) {
        long start = System.nanoTime();
        while (guard.pendingReleases() > 0
                && System.nanoTime() - start < Duration.ofSeconds(30).toNanos()) {
            Pause.millis(20);
        }
    }

    private static String counted(int inVain, int unanswered) {
        return String.format(
                Locale.ROOT, "%,d waits for a held lock, %,d requests without an answer in time", inVain, unanswered);
    }

    private static Outcome outcome(String store, String timeouts, Resources before, int lent) {
        Resources now = Resources.now();
        for (int i = 0; i < 100 && !now.isWithin(before); i++) {
            Pause.millis(100);
            now = Resources.now();
        }
        int threads = now.threadsBeyond(before).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
        int sockets = Math.max(0, now.sockets().size() - before.sockets().size());
        return new Outcome(
                store + ": " + timeouts,
                threads + " threads, " + sockets + " sockets, " + lent + " pooled connections left",
                "0 of each",
                threads + sockets + lent == 0);
    }
}
