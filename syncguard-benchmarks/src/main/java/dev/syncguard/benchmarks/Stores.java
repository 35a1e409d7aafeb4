package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.firestore.FirestoreBed;
import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.memory.MemoryBed;
import dev.syncguard.benchmarks.postgres.PostgresBed;
import dev.syncguard.benchmarks.redis.RedisBed;
import dev.syncguard.benchmarks.sqlite.SqliteBed;
import dev.syncguard.benchmarks.zookeeper.ZooKeeperBed;
import java.util.Iterator;
import java.util.List;

/** All stores, in the order in which they are measured. */
final class Stores implements Iterable<String> {

    static List<Bed> all() {
        return List.of(
                new RedisBed(),
                new PostgresBed(),
                new FirestoreBed(),
                new SqliteBed(),
                new MemoryBed(),
                new ZooKeeperBed());
    }

    /** Returns those with the given names, or all. */
    static List<Bed> chosen(List<String> names) {
        List<String> known = all().stream().map(Bed::store).toList();
        if (!known.containsAll(names)) {
            throw new IllegalArgumentException("stores are " + String.join(", ", known));
        }
        return all().stream()
                .filter(bed -> names.isEmpty() || names.contains(bed.store()))
                .toList();
    }

    @Override
    public Iterator<String> iterator() {
        return all().stream().map(Bed::store).iterator();
    }
}
