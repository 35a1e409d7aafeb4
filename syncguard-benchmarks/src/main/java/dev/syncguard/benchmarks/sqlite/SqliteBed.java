package dev.syncguard.benchmarks.sqlite;

import static dev.syncguard.benchmarks.harness.Role.OURS;
import static dev.syncguard.benchmarks.harness.Skill.CYCLE;
import static dev.syncguard.benchmarks.harness.Skill.WAIT;

import dev.syncguard.benchmarks.harness.BackendCandidate;
import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.benchmarks.harness.Contestant;
import dev.syncguard.benchmarks.harness.Growth;
import dev.syncguard.benchmarks.harness.GuardCandidate;
import dev.syncguard.benchmarks.harness.HandOver;
import dev.syncguard.benchmarks.harness.Uncontended;
import dev.syncguard.benchmarks.harness.Workload;
import dev.syncguard.sqlite.SqliteLockBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Files in a directory of their own. Everything runs in this process, so its figures include the store's. */
public final class SqliteBed extends Bed {

    private @Nullable Path directory;

    @Override
    public String store() {
        return "sqlite";
    }

    @Override
    public void start() throws IOException {
        Path created = Files.createTempDirectory("syncguard-sqlite");
        directory = created;
        closing(() -> delete(created));
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    Path file(String name) {
        if (directory == null) {
            throw new IllegalStateException("not started");
        }
        return directory.resolve(name);
    }

    @Override
    public List<Contestant> contestants() {
        return List.of(
                new Contestant(
                        Contestant.SYNCGUARD,
                        OURS,
                        "facade; client CPU and bytes include the store",
                        Set.of(CYCLE, WAIT),
                        connections -> new GuardCandidate(SqliteLockBackend.open(file("shared.db")))),
                new Contestant(
                        "syncguard, backend alone",
                        OURS,
                        "no lease, no waiting",
                        Set.of(CYCLE),
                        connections -> new BackendCandidate(SqliteLockBackend.open(file("shared.db")))));
    }

    @Override
    public List<Workload> workloads() {
        return List.of(
                new Uncontended(64),
                new Uncontended(8),
                new Uncontended(1),
                new HandOver(true),
                new HandOver(false),
                new SqliteProcesses(),
                new Growth());
    }

    @Override
    public Grown grown(int locks) throws Exception {
        Path file = file("held-" + locks + ".db");
        try (Candidate empty = new GuardCandidate(SqliteLockBackend.open(file))) {
            empty.locked("created", Candidate.NOTHING);
        }
        double bytes = StoredLocks.fill(file, locks);
        return new Grown(closing(new GuardCandidate(SqliteLockBackend.open(file))), bytes);
    }
}
