package dev.syncguard.faults.recovery;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.LockException;
import dev.syncguard.SyncGuard;
import dev.syncguard.faults.client.Pause;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.postgres.PostgresSchema;
import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.testbed.PostgresServer;
import dev.syncguard.testbed.RedisSentinels;
import dev.syncguard.testbed.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** Servers that are killed and started again, or replaced by their replica. */
final class Restarts {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration STEP = Duration.ofSeconds(1);
    private static final Random RANDOM = new Random(16);

    private Restarts() {}

    /** From the moment at which the server answers again. */
    static Outcome redis(int times) {
        List<Long> nanos = new ArrayList<>();
        try (RedisServer server = RedisServer.start("--appendonly", "yes");
                SyncGuard guard = opened(RedisLockBackend.builder(server.url()).commandTimeout(TIMEOUT)::build)) {
            for (int i = 0; i < times; i++) {
                nanos.add(FirstGrant.after(guard, "restart-" + i, () -> {
                    server.kill();
                    down();
                    server.restart();
                    return System.nanoTime();
                }));
            }
        }
        return Outcome.times("Redis: killed, down for up to 3 s; from its return to the first grant", nanos, 2000);
    }

    /** From the moment at which the server answers again. */
    static Outcome postgres(int times) {
        List<Long> nanos = new ArrayList<>();
        try (PostgresServer server = PostgresServer.start(Map.of("synchronous_commit", "on"));
                HikariDataSource pool = poolWithSchema(server);
                SyncGuard guard = opened(PostgresLockBackend.builder(pool).commandTimeout(TIMEOUT)::build)) {
            for (int i = 0; i < times; i++) {
                nanos.add(FirstGrant.after(guard, "restart-" + i, () -> {
                    server.crash();
                    down();
                    server.restart();
                    return System.nanoTime();
                }));
            }
        }
        return Outcome.times(
                "PostgreSQL: crashed, down for up to 3 s; from its return to the first grant", nanos, 2000);
    }

    /** A machine that is busy may need more than one attempt. */
    static SyncGuard opened(Supplier<? extends LockBackend> backend) {
        for (int i = 1; true; i++) {
            try {
                return SyncGuard.of(backend.get());
            } catch (LockException e) {
                if (i == 30) {
                    throw e;
                }
                Pause.millis(100);
            }
        }
    }

    private static void down() {
        Pause.millis(RANDOM.nextInt(3000));
    }

    static HikariDataSource poolWithSchema(PostgresServer server) {
        HikariDataSource pool = pool(server);
        PostgresSchema.create(pool, PostgresNames.defaults());
        return pool;
    }

    private static HikariDataSource pool(PostgresServer server) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.url());
        config.setMaximumPoolSize(8);
        config.setConnectionTimeout(5_000);
        config.setValidationTimeout(TIMEOUT.toMillis() / 2);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    /** From the kill of the primary; the sentinels notice it after a second. */
    static Outcome sentinel(int times) {
        List<Long> nanos = new ArrayList<>();
        try (RedisSentinels servers = RedisSentinels.start();
                SyncGuard guard = opened(RedisLockBackend.builder(servers.url()).commandTimeout(TIMEOUT)::build)) {
            servers.failoverTimeout(STEP);
            RedisServer primary = servers.primary();
            RedisServer replica = servers.replica();
            for (int i = 0; i < times; i++) {
                RedisServer killed = primary;
                nanos.add(FirstGrant.after(guard, "failover-" + i, () -> {
                    long now = System.nanoTime();
                    killed.kill();
                    return now;
                }));
                killed.restartAsReplicaOf(replica);
                primary = replica;
                replica = killed;
                servers.awaitSettled(primary);
                Pause.millis(2 * STEP.toMillis()); // before that the sentinels begin no other one
            }
        }
        return Outcome.times("Sentinel: primary killed; from the kill to the first grant by its replica", nanos, 5000);
    }
}
