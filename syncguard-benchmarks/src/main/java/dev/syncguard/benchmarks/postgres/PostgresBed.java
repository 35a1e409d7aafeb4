package dev.syncguard.benchmarks.postgres;

import static dev.syncguard.benchmarks.harness.Role.FLOOR;
import static dev.syncguard.benchmarks.harness.Role.OURS;
import static dev.syncguard.benchmarks.harness.Role.PEER;
import static dev.syncguard.benchmarks.harness.Skill.ASYNC;
import static dev.syncguard.benchmarks.harness.Skill.CYCLE;
import static dev.syncguard.benchmarks.harness.Skill.WAIT;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.benchmarks.harness.Asynchronous;
import dev.syncguard.benchmarks.harness.BackendCandidate;
import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.benchmarks.harness.Contestant;
import dev.syncguard.benchmarks.harness.Crowd;
import dev.syncguard.benchmarks.harness.Growth;
import dev.syncguard.benchmarks.harness.GuardCandidate;
import dev.syncguard.benchmarks.harness.HandOver;
import dev.syncguard.benchmarks.harness.Meter;
import dev.syncguard.benchmarks.harness.Role;
import dev.syncguard.benchmarks.harness.Skill;
import dev.syncguard.benchmarks.harness.Uncontended;
import dev.syncguard.benchmarks.harness.Workload;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.postgres.PostgresLockBackendBuilder;
import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.postgres.PostgresSchema;
import dev.syncguard.testbed.PostgresServer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One server that writes every commit to disk. */
public final class PostgresBed extends Bed {

    private final List<Contestant> contestants = List.of(
            one(
                    "hand-written",
                    FLOOR,
                    "single statements, fence and expiry, no refusals told",
                    HandWritten::new,
                    CYCLE),
            one("own floor", FLOOR, "our statements, bare", OwnStatements::new, CYCLE),
            one(
                    Contestant.SYNCGUARD,
                    OURS,
                    "facade: fence, index by lock id, lease",
                    pool -> new GuardCandidate(backend(pool, PostgresNames.defaults()), pool),
                    CYCLE,
                    ASYNC,
                    WAIT),
            one(
                    "syncguard, no other library",
                    OURS,
                    "assumeNoOtherLibrary(): without the advisory lock",
                    pool -> new GuardCandidate(
                            builder(pool).assumeNoOtherLibrary().build(), pool),
                    CYCLE,
                    WAIT),
            one(
                    "syncguard, backend alone",
                    OURS,
                    "no lease, no waiting",
                    pool -> new BackendCandidate(backend(pool, PostgresNames.defaults()), pool),
                    CYCLE),
            one("spring registry", PEER, "no fence; polls every 100 ms", SpringJdbc::registry, CYCLE, WAIT),
            one("shedlock", PEER, "no fence, no waiting", SpringJdbc::shedLock, CYCLE));

    private @Nullable PostgresServer server;
    private @Nullable PostgresMeter meter;

    private interface OnPool {
        Candidate open(HikariDataSource pool) throws Exception;
    }

    private Contestant one(String name, Role role, String note, OnPool opening, Skill... skills) {
        return new Contestant(
                name, role, note, Set.of(skills), connections -> opening.open(pool(server(), connections)));
    }

    private static PostgresLockBackendBuilder builder(HikariDataSource pool) {
        PostgresSchema.create(pool, PostgresNames.defaults());
        return PostgresLockBackend.builder(pool);
    }

    static PostgresLockBackend backend(HikariDataSource pool, PostgresNames names) {
        PostgresSchema.create(pool, names);
        return PostgresLockBackend.builder(pool).names(names).build();
    }

    private static HikariDataSource pool(PostgresServer server, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.url());
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    HikariDataSource pool(int connections) {
        return pool(server(), connections);
    }

    @Override
    public String store() {
        return "postgres";
    }

    @Override
    public void start() throws Exception {
        server = closing(
                PostgresServer.start(Map.of("fsync", "on", "synchronous_commit", "on", "max_connections", "200")));
        meter = closing(new PostgresMeter(server().url()));
    }

    private PostgresServer server() {
        if (server == null) {
            throw new IllegalStateException("not started");
        }
        return server;
    }

    @Override
    public List<Contestant> contestants() {
        return contestants;
    }

    @Override
    public List<Workload> workloads() {
        return List.of(
                new Uncontended(64),
                new Uncontended(8),
                new Uncontended(1),
                new Asynchronous(256),
                new HandOver(true),
                new HandOver(false),
                new Crowd(),
                new Refusals(),
                new Growth());
    }

    @Override
    public Meter meter() {
        return meter == null ? Meter.BLIND : meter;
    }

    @Override
    public Map<String, String> versions() throws Exception {
        return Map.of("postgresql", meter == null ? "" : meter.text("SHOW server_version"));
    }

    @Override
    public Grown grown(int locks) throws Exception {
        HikariDataSource pool = pool(3);
        PostgresNames names = new PostgresNames("public", "locks_" + locks, "counters_" + locks);
        Candidate candidate = closing(new GuardCandidate(backend(pool, names), pool));
        return new Grown(candidate, StoredLocks.fill(pool, names, locks));
    }
}
