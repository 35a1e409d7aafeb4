package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * How much a round was worth.
 *
 * @param operations calls of clients that were answered; a store that is down refuses any number of them at once
 * @param grants locks that clients were told they have
 * @param handOvers grants that followed a lease which ended by its expiry
 * @param refused stale accesses that the register refused
 * @param unknown failures with an unknown outcome
 * @param faults how many of each kind
 */
public record Coverage(
        long operations, long grants, long handOvers, long refused, long unknown, Map<String, Integer> faults) {

    /** Nothing yet. */
    public static final Coverage NONE = new Coverage(0, 0, 0, 0, 0, Map.of());

    static Coverage of(Evidence evidence) {
        Map<String, Integer> faults = new TreeMap<>();
        evidence.faults()
                .forEach(fault -> faults.merge(String.valueOf(fault.begin().text()), 1, Integer::sum));
        return new Coverage(
                evidence.operations().stream()
                        .filter(operation -> operation.isOk() || operation.isContended())
                        .count(),
                evidence.grants().values().stream().mapToLong(List::size).sum(),
                evidence.grants().values().stream()
                        .mapToLong(Coverage::handOvers)
                        .sum(),
                count(evidence, Coverage::isRefusal),
                count(evidence, Event::unknown),
                faults);
    }

    private static long count(Evidence evidence, Predicate<Event> which) {
        return evidence.events().stream().filter(which).count();
    }

    private static boolean isRefusal(Event event) {
        return event.process().equals("register") && event.no();
    }

    private static long handOvers(List<Grant> grants) {
        long count = 0;
        for (int i = 1; i < grants.size(); i++) {
            count += grants.get(i - 1).releasedAt() > grants.get(i).grantedAt() ? 1 : 0;
        }
        return count;
    }

    /** Returns the sum of both. */
    public Coverage plus(Coverage other) {
        Map<String, Integer> sum = new TreeMap<>(faults);
        other.faults.forEach((kind, count) -> sum.merge(kind, count, Integer::sum));
        return new Coverage(
                operations + other.operations,
                grants + other.grants,
                handOvers + other.handOvers,
                refused + other.refused,
                unknown + other.unknown,
                sum);
    }

    /** How many faults there were. */
    public int faultCount() {
        return faults.values().stream().mapToInt(Integer::intValue).sum();
    }
}
