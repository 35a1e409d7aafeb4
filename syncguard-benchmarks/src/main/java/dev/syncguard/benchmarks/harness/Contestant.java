package dev.syncguard.benchmarks.harness;

import java.util.Set;

/**
 * A candidate that has not been opened yet.
 *
 * @param name as in the tables
 * @param role what it stands for
 * @param note what it does not do, or how it is set up
 * @param skills which workloads it takes part in
 * @param opening connects it
 */
public record Contestant(String name, Role role, String note, Set<Skill> skills, Opening opening) {

    /** The facade of this library, under the same name on every store: goals refer to it. */
    public static final String SYNCGUARD = "syncguard";

    /** Ours, for a workload that opens it in its own way. */
    public static Contestant ours(String name, String note) {
        return new Contestant(name, Role.OURS, note, Set.of(), connections -> {
            throw new IllegalStateException("opened by its workload");
        });
    }

    /** Connects a candidate. */
    @FunctionalInterface
    public interface Opening {
        /** Opens a client of its own, with at most so many connections if it uses a pool. */
        Candidate open(int connections) throws Exception;
    }
}
