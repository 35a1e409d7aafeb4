package dev.syncguard.benchmarks.memory;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Contestant;
import dev.syncguard.benchmarks.harness.Growth;
import dev.syncguard.benchmarks.harness.GuardCandidate;
import dev.syncguard.benchmarks.harness.HandOver;
import dev.syncguard.benchmarks.harness.Role;
import dev.syncguard.benchmarks.harness.Skill;
import dev.syncguard.benchmarks.harness.Workload;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** No server at all. */
public final class MemoryBed extends Bed {

    private final LockBackend shared = new MemoryLockBackend();

    @Override
    public String store() {
        return "memory";
    }

    @Override
    public void start() {}

    @Override
    public List<Contestant> contestants() {
        return List.of(new Contestant(
                Contestant.SYNCGUARD,
                Role.OURS,
                "facade",
                Set.of(Skill.WAIT),
                connections -> new GuardCandidate(shared)));
    }

    @Override
    public List<Workload> workloads() {
        return List.of(new MemoryCycles(), new HandOver(true), new HandOver(false), new Growth());
    }

    @Override
    public Grown grown(int locks) {
        MemoryLockBackend backend = new MemoryLockBackend();
        Ttl ttl = Ttl.of(Duration.ofDays(1));
        for (int i = 0; i < locks; i++) {
            LockKey key = LockKey.of("held-" + i);
            backend.acquire(new AcquireRequest(key, backend.newLockId(key), ttl, false), AbortSignal.none());
        }
        return new Grown(closing(new GuardCandidate(backend)), Double.NaN);
    }
}
