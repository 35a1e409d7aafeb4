package dev.syncguard.benchmarks.zookeeper;

import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Contestant;
import dev.syncguard.benchmarks.harness.HandOver;
import dev.syncguard.benchmarks.harness.Role;
import dev.syncguard.benchmarks.harness.Skill;
import dev.syncguard.benchmarks.harness.Uncontended;
import dev.syncguard.benchmarks.harness.Workload;
import java.util.List;
import java.util.Set;
import org.apache.curator.test.TestingServer;
import org.jspecify.annotations.Nullable;

/** One embedded server; its processor time and allocation cannot be told from the client's. */
public final class ZooKeeperBed extends Bed {

    private @Nullable TestingServer server;

    @Override
    public String store() {
        return "zookeeper";
    }

    @Override
    public void start() throws Exception {
        server = closing(new TestingServer());
    }

    @Override
    public List<Contestant> contestants() {
        return List.of(new Contestant(
                CuratorCandidate.NAME,
                Role.PEER,
                "server in this process: its CPU and bytes are in the client's; lock ends with the session, no ttl",
                Set.of(Skill.CYCLE, Skill.WAIT),
                connections -> new CuratorCandidate(address())));
    }

    private String address() {
        if (server == null) {
            throw new IllegalStateException("not started");
        }
        return server.getConnectString();
    }

    @Override
    public List<Workload> workloads() {
        return List.of(
                new Uncontended(64), new Uncontended(8), new Uncontended(1), new HandOver(true), new HandOver(false));
    }
}
