package dev.syncguard.model;

import static dev.syncguard.model.Mutation.Kind.INVARIANT;
import static dev.syncguard.model.Mutation.Kind.LIVENESS;
import static dev.syncguard.model.Mutation.Kind.STEP;

import java.util.List;
import java.util.Map;

/**
 * One rule that a model breaks on purpose.
 *
 * @param name the value of the constant Mutation
 * @param configuration the configuration that is changed
 * @param constants further constants that differ
 * @param refutes the promise that does not hold any more
 */
record Mutation(String name, String configuration, Map<String, String> constants, Promise refutes) {

    /** A promise of a module, by its name there. */
    record Promise(String name, Kind kind) {}

    /** What TLC calls it. */
    enum Kind {
        INVARIANT("INVARIANTS", "Spec"),
        STEP("PROPERTIES", "Spec"),
        LIVENESS("PROPERTIES", "FairSpec");

        private final String keyword;
        private final String specification;

        Kind(String keyword, String specification) {
            this.keyword = keyword;
            this.specification = specification;
        }

        String keyword() {
            return keyword;
        }

        String specification() {
            return specification;
        }
    }

    private static final Promise NO_OVERLAP = new Promise("BelievedLeasesNeverOverlap", INVARIANT);
    private static final Promise STORED = new Promise("BeliefIsStored", INVARIANT);
    private static final Promise ONLY_OWNER = new Promise("OnlyByItsOwner", STEP);
    private static final Promise NOT_BY_ITSELF = new Promise("NeverLockedOutByItself", INVARIANT);
    private static final Promise FENCES_INCREASE = new Promise("FencesIncrease", STEP);
    private static final Promise STAYS_EXPIRED = new Promise("ExpiredStaysExpired", STEP);
    private static final Promise NEVER_SHORTER = new Promise("RenewalsNeverShorten", STEP);
    private static final Promise NO_ORPHAN = new Promise("NothingIsOrphaned", INVARIANT);
    private static final Promise NO_SURVIVOR = new Promise("NothingOutlivesItsProcess", INVARIANT);
    private static final Promise STAGES_END = new Promise("StagesEnd", LIVENESS);
    private static final Promise NO_STALE_WRITE = new Promise("NoStaleWrite", INVARIANT);
    private static final Promise NO_LOST_WRITE = new Promise("NoLostWrite", INVARIANT);

    /** Where clocks that differ are not what matters: there are fewer states to explore. */
    private static final Map<String, String> EXACT_CLOCKS = Map.of("Slew", "0");

    /** All of them, as docs/model/README.md lists them. */
    static final List<Mutation> ALL = List.of(
            lease("E1", NO_OVERLAP),
            lease("E2 late renewal replaces", NO_OVERLAP),
            lease("E2 renewal remembered", NEVER_SHORTER),
            lease("E2 forgets", EXACT_CLOCKS, NO_OVERLAP),
            lease("LSE-8", EXACT_CLOCKS, NO_OVERLAP),
            lease("LSE-9", EXACT_CLOCKS, NO_OVERLAP),
            lease("T1", Map.of("Tolerance", "1"), STAYS_EXPIRED),
            lease("T3", NO_OVERLAP),
            lease("T3 no slew", NO_OVERLAP),
            lease("A1", NOT_BY_ITSELF),
            lease("A1 replayed extension", EXACT_CLOCKS, NO_OVERLAP),
            lease("ACQ-3", EXACT_CLOCKS, NO_OVERLAP),
            lease("A5 no owner check", ONLY_OWNER),
            lease("A5 no owner check", STORED),
            lease("A5 expiry before owner", ONLY_OWNER),
            lease("REL-4", FENCES_INCREASE),
            lease("A11", Map.of("Tolerance", "1", "Skew", "2"), NO_OVERLAP),
            lifecycle("A1", NO_ORPHAN),
            lifecycle("A2 new id", NO_ORPHAN),
            lifecycle("A2 no compensation", NO_ORPHAN),
            lifecycle("E3", NO_ORPHAN),
            lifecycle("E4", NO_ORPHAN),
            lifecycle("E6", NO_ORPHAN),
            lifecycle("CMP-2", NO_ORPHAN),
            lifecycle("DSP-8", NO_SURVIVOR),
            new Mutation("ASY-3", "Lifecycle-ends", Map.of(), STAGES_END),
            fenceGuard("no guard", NO_STALE_WRITE),
            fenceGuard("check outside the transaction", NO_STALE_WRITE),
            fenceGuard("read without fence", NO_LOST_WRITE),
            new Mutation("counter restarts", "FenceGuard", Map.of("Losses", "1"), NO_STALE_WRITE),
            handOver("T3", STORED),
            handOver("old message counts", STORED),
            handOver("confirmed when sent", NO_OVERLAP),
            handOver("confirm does not ask whose", STORED),
            handOver("fence is kept", FENCES_INCREASE),
            handOver("no claim", new Promise("UnnoticedIsShort", INVARIANT)),
            handOver("leaves only the queue", NO_ORPHAN),
            handOver("A1", new Promise("NeverLockedOutByItself", STEP)),
            new Mutation("no poll", "HandOver-waiting", Map.of(), new Promise("WaitersAreGranted", LIVENESS)));

    private static Mutation handOver(String name, Promise refutes) {
        return new Mutation(name, "HandOver", Map.of(), refutes);
    }

    private static Mutation lease(String name, Promise refutes) {
        return lease(name, Map.of(), refutes);
    }

    private static Mutation lease(String name, Map<String, String> constants, Promise refutes) {
        return new Mutation(name, "Lease", constants, refutes);
    }

    private static Mutation lifecycle(String name, Promise refutes) {
        return new Mutation(name, "Lifecycle", Map.of(), refutes);
    }

    private static Mutation fenceGuard(String name, Promise refutes) {
        return new Mutation(name, "FenceGuard", Map.of(), refutes);
    }

    Configuration mutated() {
        Configuration mutated = Configuration.named(configuration)
                .with("Mutation", '"' + name + '"')
                .checkingOnly(refutes);
        for (Map.Entry<String, String> constant : constants.entrySet()) {
            mutated = mutated.with(constant.getKey(), constant.getValue());
        }
        return mutated;
    }

    @Override
    public String toString() {
        return configuration + ": " + name + " refutes " + refutes.name;
    }
}
