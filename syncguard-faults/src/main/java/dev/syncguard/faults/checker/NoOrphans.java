package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * I9: what is left in the store.
 *
 * <p>When all clients have ended, a lock that is left belongs to a lease that nobody released, or to a process that was
 * killed. After every key was granted and released once more, nothing is left but fence counters.
 */
final class NoOrphans implements Invariant {

    /** The longest ttl of the workloads, and a little more. */
    private static final long LONGEST = 6_500_000_000L;

    private static final long CLOSING = 8_000_000_000L;

    @Override
    public String id() {
        return "I9";
    }

    @Override
    public String promise() {
        return "nothing that was given back stays locked, and in the end only fence counters remain";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Map<String, Operation> failed = new HashMap<>();
        Map<String, List<Operation>> unclear = new HashMap<>();
        for (Operation operation : evidence.operations()) {
            if (operation.is("acquire") && !operation.isOk()) {
                unclear.computeIfAbsent(operation.key(), key -> new ArrayList<>())
                        .add(operation);
                failed.put(String.valueOf(operation.answeredId()), operation);
            }
        }
        List<Violation> violations = new ArrayList<>();
        for (Event event : evidence.events()) {
            if (event.event().equals("leftovers") && "end".equals(event.how()) && event.number() > 0) {
                add(event, "", "something besides fence counters is left", List.of(event.toString()), violations);
            } else if (event.event().equals("leftover")
                    && !evidence.isExcused(id(), event.time() - LONGEST, event.time())) {
                judge(evidence, event, failed, unclear.getOrDefault(event.key(), List.of()), violations);
            }
        }
        return violations;
    }

    private void judge(
            Evidence evidence,
            Event left,
            Map<String, Operation> failed,
            List<Operation> unclear,
            List<Violation> violations) {
        String id = String.valueOf(left.id());
        Grant grant = evidence.grant(id);
        Operation operation = failed.get(id);
        if (grant != null) {
            boolean givenBack = grant.releasedAt() < left.time();
            if (givenBack && !mayLeave(evidence, grant.acquire(), left)) {
                add(left, grant.key(), "a lock that was released is still there", lines(grant, left), violations);
            }
        } else if (operation != null) {
            if (!mayLeave(evidence, operation, left)) {
                List<String> lines = List.of(operation.toString(), left.toString());
                add(left, left.key(), "a lock of an acquire that failed is still there", lines, violations);
            }
        } else if (unclear.stream().noneMatch(one -> mayLeave(evidence, one, left))) {
            List<String> lines = new ArrayList<>(List.of(left.toString()));
            unclear.stream()
                    .filter(one -> one.endedAt() > left.time() - LONGEST)
                    .limit(5)
                    .forEach(one -> lines.add(one.toString()));
            add(left, left.key(), "a lock that nobody was granted is there", lines, violations);
        }
    }

    /** A process that was killed, or a guard that was closed and took all the time it may, leaves locks to their ttl. */
    private static boolean mayLeave(Evidence evidence, Operation operation, Event left) {
        return operation.endedAt() > left.time() - LONGEST - CLOSING
                && (evidence.killed().contains(operation.process())
                        || evidence.events().stream()
                                .anyMatch(event -> event.event().equals("closed")
                                        && event.process().equals(operation.process())
                                        && operation.key().startsWith(event.key())
                                        && event.number() * 10 >= event.ttl() * 9));
    }

    private static List<String> lines(Grant grant, Event left) {
        List<String> lines = new ArrayList<>(List.of(grant.toString()));
        grant.releases().forEach(release -> lines.add(release.toString()));
        lines.add(left.toString());
        return lines;
    }

    private void add(Event event, String key, String what, List<String> events, List<Violation> violations) {
        violations.add(new Violation(id(), key, event.time(), event.time(), what, events));
    }
}
