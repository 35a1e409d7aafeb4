package dev.syncguard.benchmarks.firestore;

import static dev.syncguard.benchmarks.harness.Role.FLOOR;
import static dev.syncguard.benchmarks.harness.Role.OURS;
import static dev.syncguard.benchmarks.harness.Skill.ASYNC;
import static dev.syncguard.benchmarks.harness.Skill.CYCLE;
import static dev.syncguard.benchmarks.harness.Skill.WAIT;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.benchmarks.harness.Asynchronous;
import dev.syncguard.benchmarks.harness.BackendCandidate;
import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.benchmarks.harness.Contestant;
import dev.syncguard.benchmarks.harness.Crowd;
import dev.syncguard.benchmarks.harness.GuardCandidate;
import dev.syncguard.benchmarks.harness.HandOver;
import dev.syncguard.benchmarks.harness.Meter;
import dev.syncguard.benchmarks.harness.Role;
import dev.syncguard.benchmarks.harness.Skill;
import dev.syncguard.benchmarks.harness.Uncontended;
import dev.syncguard.benchmarks.harness.Workload;
import dev.syncguard.firestore.FirestoreLockBackend;
import dev.syncguard.testbed.firestore.FirestoreServer;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The official client and the test bed's stand-in. Requests are those of the real service; times are not: there each
 * request takes milliseconds.
 */
public final class FirestoreBed extends Bed {

    private final List<Contestant> contestants = List.of(
            one(
                    "hand-written",
                    FLOOR,
                    "two transactions of the official client, fence and expiry",
                    HandWritten::new,
                    CYCLE),
            one(
                    Contestant.SYNCGUARD,
                    OURS,
                    "facade; client CPU and bytes include the stand-in",
                    client -> new GuardCandidate(backend(client), client),
                    CYCLE,
                    ASYNC,
                    WAIT),
            one(
                    "syncguard, backend alone",
                    OURS,
                    "no lease, no waiting",
                    client -> new BackendCandidate(backend(client), client),
                    CYCLE,
                    ASYNC));

    private @Nullable FirestoreServer server;

    private Contestant one(
            String name, Role role, String note, Function<Firestore, Candidate> opening, Skill... skills) {
        return new Contestant(name, role, note, Set.of(skills), connections -> opening.apply(client()));
    }

    private static FirestoreLockBackend backend(Firestore client) {
        return FirestoreLockBackend.builder(client).build();
    }

    private Firestore client() {
        return FirestoreOptions.newBuilder()
                .setProjectId(server().projectId())
                .setEmulatorHost(server().hostAndPort())
                .build()
                .getService();
    }

    @Override
    public String store() {
        return "firestore";
    }

    @Override
    public void start() {
        server = closing(FirestoreServer.start());
    }

    private FirestoreServer server() {
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
                new Uncontended(8),
                new Uncontended(1),
                new Asynchronous(256),
                new HandOver(true),
                new HandOver(false),
                new Crowd());
    }

    @Override
    public Meter meter() {
        return new FirestoreMeter(server());
    }
}
