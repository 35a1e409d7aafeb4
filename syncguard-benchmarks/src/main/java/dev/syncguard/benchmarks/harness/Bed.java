package dev.syncguard.benchmarks.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A store with everything that locks in it. Nothing is started before {@link #start()}. */
public abstract class Bed implements AutoCloseable {

    /** As many as the threads of the middle workload. */
    private static final int POOL = 8;

    private final Map<Contestant, Candidate> opened = new LinkedHashMap<>();
    private final List<AutoCloseable> others = new ArrayList<>();

    /** The name of the store. */
    public abstract String store();

    /** Starts the server, if there is one. */
    public abstract void start() throws Exception;

    /** Who takes part. */
    public abstract List<Contestant> contestants();

    /** What is measured. */
    public abstract List<Workload> workloads();

    /** What can be seen of the server. */
    public Meter meter() {
        return Meter.BLIND;
    }

    /** What runs here, for the list of versions: name and version of the server. */
    public Map<String, String> versions() throws Exception {
        return Map.of();
    }

    /** Opens our facade on a store of its own that holds so many locks already. */
    public Grown grown(int locks) throws Exception {
        throw new UnsupportedOperationException();
    }

    /**
     * A store that holds many locks.
     *
     * @param candidate our facade on it
     * @param bytesPerLock what one of them takes in the store, or NaN
     */
    public record Grown(Candidate candidate, double bytesPerLock) {}

    /** Who can do something. */
    public final List<Contestant> with(Skill skill) {
        return contestants().stream()
                .filter(contestant -> contestant.skills().contains(skill))
                .toList();
    }

    /** Their names. */
    final List<String> names(Skill skill) {
        return with(skill).stream().map(Contestant::name).toList();
    }

    /** Opens all who can do something, once; they stay open with the bed. */
    final Map<Contestant, Candidate> open(Skill skill) throws Exception {
        Map<Contestant, Candidate> able = new LinkedHashMap<>();
        for (Contestant contestant : with(skill)) {
            Candidate candidate = opened.get(contestant);
            if (candidate == null) {
                candidate = contestant.opening().open(POOL);
                opened.put(contestant, candidate);
            }
            able.put(contestant, candidate);
        }
        return able;
    }

    /** Has something closed with the bed, the last one first. */
    protected final <T extends AutoCloseable> T closing(T other) {
        others.add(0, other);
        return other;
    }

    @Override
    public void close() {
        opened.values().forEach(Candidate::close);
        opened.clear();
        others.forEach(Closing::unchecked);
        others.clear();
    }
}
