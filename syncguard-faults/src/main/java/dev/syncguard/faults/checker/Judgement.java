package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import dev.syncguard.faults.history.Histories;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the checker says of a round.
 *
 * @param coverage how much it was worth
 * @param violations the promises that were not kept
 * @param broken what went wrong with the suite itself
 */
public record Judgement(Coverage coverage, List<Violation> violations, List<String> broken) {

    /** Where the outputs of the processes are, in the directory of a round. */
    public static final String LOGS = "logs";

    private static final List<Invariant> INVARIANTS = List.of(
            new FenceOrder(),
            new OneBeliever(),
            new FencedResource(),
            new OneRelease(),
            new KeptLease(),
            new DeadId(),
            new Recovery(),
            new NoLeaks(),
            new NoOrphans(),
            new HonestErrors(),
            new NoSecrets(),
            new FreshLease(),
            new Linearizable());

    private static final Set<String> CERTAIN = Set.of("I1", "I2", "I3", "I4", "I6");

    /**
     * Judges a round.
     *
     * @param directory of the round
     * @return the judgement
     */
    public static Judgement of(Path directory) {
        return of(Histories.read(directory), directory.resolve(LOGS));
    }

    /**
     * Judges events.
     *
     * @param events by time
     * @param logs where the processes' outputs are; null if there are none
     * @return the judgement
     */
    public static Judgement of(List<Event> events, @Nullable Path logs) {
        Evidence evidence = Evidence.of(events, logs);
        List<Violation> violations = new ArrayList<>();
        INVARIANTS.forEach(invariant -> violations.addAll(invariant.check(evidence)));
        List<String> broken = events.stream()
                .filter(event -> event.event().equals("broken"))
                .map(Event::toString)
                .toList();
        return new Judgement(Coverage.of(evidence), violations, broken);
    }

    /** What counts of a round that was cut off: what no later event can take back. */
    public Judgement ofUnfinished() {
        List<Violation> certain = violations.stream()
                .filter(violation -> CERTAIN.contains(violation.invariant()))
                .toList();
        return new Judgement(coverage, certain, List.of());
    }

    /** The promises, by number. */
    public static Map<String, String> promises() {
        Map<String, String> promises = new LinkedHashMap<>();
        INVARIANTS.forEach(invariant -> promises.put(invariant.id(), invariant.promise()));
        return promises;
    }
}
