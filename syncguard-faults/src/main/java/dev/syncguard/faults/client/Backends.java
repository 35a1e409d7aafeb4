package dev.syncguard.faults.client;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.FenceMode;
import dev.syncguard.firestore.FirestoreLockBackend;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.sqlite.SqliteLockBackend;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Backends as applications set them up, by the URL of the store. */
final class Backends {

    private static final AtomicInteger LEFT_IN_POOLS = new AtomicInteger();

    private Backends() {}

    /** Opens a backend with its own connections, which are closed with it. */
    static LockBackend open(Assignment assignment, int poolSize) {
        String url = assignment.url();
        FenceMode mode = assignment.fenceMode();
        Duration timeout = assignment.commandTimeout();
        String scheme = url.substring(0, url.indexOf(':'));
        return switch (scheme) {
            case "redis", "redis-sentinel" ->
                RedisLockBackend.builder(url)
                        .fenceMode(mode)
                        .commandTimeout(timeout)
                        .replicaAcks(scheme.equals("redis-sentinel") && mode == FenceMode.COUNTER ? 1 : 0)
                        .build();
            case "jdbc" -> postgres(url, mode, timeout, poolSize);
            case "sqlite" ->
                SqliteLockBackend.builder(Path.of(url.substring("sqlite:".length())))
                        .fenceMode(mode)
                        .commandTimeout(timeout)
                        .cleanupInIsLocked(true)
                        .build();
            case "firestore" -> firestore(url.substring("firestore:".length()), mode, timeout);
            default -> throw new IllegalArgumentException(scheme);
        };
    }

    /** How many connections closed pools had lent out and not got back. */
    static int leftInPools() {
        return LEFT_IN_POOLS.get();
    }

    private static LockBackend postgres(String url, FenceMode mode, Duration timeout, int poolSize) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(poolSize);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(Math.max(250, timeout.toMillis()));
        config.setValidationTimeout(Math.max(250, timeout.toMillis() / 2));
        config.setInitializationFailTimeout(-1);
        HikariDataSource pool = new HikariDataSource(config);
        LockBackend backend = built(
                PostgresLockBackend.builder(pool)
                        .fenceMode(mode)
                        .commandTimeout(timeout)
                        .cleanupInIsLocked(true)::build,
                pool::close);
        return closing(backend, () -> {
            awaitIdle(pool);
            LEFT_IN_POOLS.addAndGet(pool.getHikariPoolMXBean().getActiveConnections());
            pool.close();
        });
    }

    /** A statement that was given up may still be on its way back. */
    private static void awaitIdle(HikariDataSource pool) {
        long start = System.nanoTime();
        while (pool.getHikariPoolMXBean().getActiveConnections() > 0 && System.nanoTime() - start < 5_000_000_000L) {
            Pause.millis(10);
        }
    }

    private static LockBackend firestore(String hostAndPort, FenceMode mode, Duration timeout) {
        Firestore client = FirestoreOptions.newBuilder()
                .setProjectId("syncguard-test")
                .setEmulatorHost(hostAndPort)
                .build()
                .getService();
        LockBackend backend = built(
                FirestoreLockBackend.builder(client)
                        .fenceMode(mode)
                        .commandTimeout(timeout)
                        .cleanupInIsLocked(true)::build,
                client::shutdownNow);
        return closing(backend, client::shutdownNow);
    }

    /** A store that cannot be reached now leaves no pool behind: its threads and sockets would count as leaks later. */
    private static LockBackend built(Supplier<? extends LockBackend> backend, Runnable otherwise) {
        try {
            return backend.get();
        } catch (RuntimeException e) {
            otherwise.run();
            throw e;
        }
    }

    private static LockBackend closing(LockBackend backend, Runnable also) {
        return new ForwardingLockBackend(backend) {
            @Override
            public void close() {
                super.close();
                also.run();
            }
        };
    }
}
