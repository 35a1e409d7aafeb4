package dev.syncguard.benchmarks.redis;

import static dev.syncguard.benchmarks.harness.Role.FLOOR;
import static dev.syncguard.benchmarks.harness.Role.OURS;
import static dev.syncguard.benchmarks.harness.Role.PEER;
import static dev.syncguard.benchmarks.harness.Skill.ASYNC;
import static dev.syncguard.benchmarks.harness.Skill.CYCLE;
import static dev.syncguard.benchmarks.harness.Skill.WAIT;

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
import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.testbed.RedisServer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** One server that keeps nothing on disk. */
public final class RedisBed extends Bed {

    private final List<Contestant> contestants = List.of(
            one("ping floor", FLOOR, "two PINGs: two round trips, no work", PingFloor::new, CYCLE),
            one(
                    "empty scripts",
                    FLOOR,
                    "bare EVALSHA, two scripts that do nothing, with our keys and arguments",
                    s -> ScriptFloor.empty(s.url()),
                    CYCLE),
            one(
                    "spec floor",
                    FLOOR,
                    "bare EVALSHA, scripts as specified",
                    s -> ScriptFloor.spec(s.url()),
                    CYCLE,
                    ASYNC),
            one("own floor", FLOOR, "bare EVALSHA, our scripts", s -> ScriptFloor.own(s.url()), CYCLE),
            one(
                    "own floor, coalescing",
                    FLOOR,
                    "bare EVALSHA, our scripts; what is written at the same time leaves together",
                    s -> ScriptFloor.ownCoalescing(s.url()),
                    ASYNC),
            one(
                    Contestant.SYNCGUARD,
                    OURS,
                    "facade: fence, index by lock id, lease",
                    s -> new GuardCandidate(RedisLockBackend.connect(s.url())),
                    CYCLE,
                    ASYNC,
                    WAIT),
            one(
                    "syncguard, Runnable::run",
                    OURS,
                    "the facade, completing on the driver's threads",
                    s -> GuardCandidate.completingInPlace(RedisLockBackend.connect(s.url())),
                    ASYNC),
            one(
                    "syncguard, backend alone",
                    OURS,
                    "no lease, no waiting",
                    s -> new BackendCandidate(RedisLockBackend.connect(s.url())),
                    CYCLE,
                    ASYNC),
            one("redisson RLock", PEER, "no fence", s -> RedissonCandidate.lock(s.url()), CYCLE, ASYNC, WAIT),
            one("redisson RFencedLock", PEER, "", s -> RedissonCandidate.fenced(s.url()), CYCLE, ASYNC, WAIT),
            one(
                    "spring registry, spin lock",
                    PEER,
                    "no fence; polls every 100 ms",
                    s -> SpringData.registry(s, RedisLockType.SPIN_LOCK),
                    CYCLE,
                    WAIT),
            one(
                    "spring registry, pub-sub",
                    PEER,
                    "no fence",
                    s -> SpringData.registry(s, RedisLockType.PUB_SUB_LOCK),
                    CYCLE,
                    WAIT),
            one(
                    "shedlock",
                    PEER,
                    "no fence, no waiting, release does not check the owner",
                    s -> SpringData.shedLock(s, false),
                    CYCLE),
            one(
                    "shedlock, safe update",
                    PEER,
                    "no fence, no waiting; its option to check the owner",
                    s -> SpringData.shedLock(s, true),
                    CYCLE));

    private @Nullable RedisServer server;

    private Contestant one(
            String name, Role role, String note, Function<RedisServer, Candidate> opening, Skill... skills) {
        return new Contestant(name, role, note, Set.of(skills), connections -> opening.apply(server()));
    }

    @Override
    public String store() {
        return "redis";
    }

    @Override
    public void start() {
        server = closing(RedisServer.start("--appendonly", "no"));
    }

    RedisServer server() {
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
                new StoredBytes(),
                new ExtendStorm(),
                new Growth());
    }

    @Override
    public Meter meter() {
        return new RedisMeter(server());
    }

    @Override
    public Map<String, String> versions() {
        return Map.of("redis-server", RedisMeter.field(server(), "server", "redis_version"));
    }

    @Override
    public Grown grown(int locks) {
        RedisServer own = closing(RedisServer.start("--appendonly", "no"));
        return new Grown(
                closing(new GuardCandidate(RedisLockBackend.connect(own.url()))), StoredLocks.fill(own, locks));
    }
}
