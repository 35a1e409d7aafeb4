package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * I9: what is left in the store.
 *
 * <p>When all clients have ended, a lock that is left belongs to a lease that nobody released, or to a process that was
 * killed. After every key was granted and released once more, nothing is left but fence counters.
 */
final class NoOrphans implements Invariant {

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
        Set<String> killedKeys = new HashSet<>();
        for (Operation operation : evidence.operations()) {
            if (operation.is("acquire") && operation.isFailed()) {
                failed.put(String.valueOf(operation.answeredId()), operation);
            }
            if (operation.end() == null && evidence.killed().contains(operation.process())) {
                killedKeys.add(operation.key());
            }
        }
        List<Violation> violations = new ArrayList<>();
        for (Event event : evidence.events()) {
            if (event.event().equals("leftovers") && "end".equals(event.how()) && event.number() > 0) {
                add(event, "", "something besides fence counters is left", List.of(event.toString()), violations);
            } else if (event.event().equals("leftover")) {
                judge(evidence, event, failed, killedKeys, violations);
            }
        }
        return violations;
    }

    private void judge(
            Evidence evidence,
            Event left,
            Map<String, Operation> failed,
            Set<String> killedKeys,
            List<Violation> violations) {
        String id = String.valueOf(left.id());
        Grant grant = evidence.grant(id);
        Operation operation = failed.get(id);
        if (evidence.isExcused(id(), left.time() - left.ttl() * 1_000_000, left.time())) {
            return;
        }
        if (grant != null) {
            boolean isKilled = evidence.killed().contains(grant.acquire().process());
            boolean givenBack = grant.releases().stream().anyMatch(release -> evidence.hasEnded(release.process()));
            if (!isKilled && givenBack) {
                add(left, grant.key(), "a lock that was released is still there", lines(grant, left), violations);
            }
        } else if (operation != null) {
            if (evidence.hasEnded(operation.process())) {
                List<String> lines = List.of(operation.toString(), left.toString());
                add(left, left.key(), "a lock of an acquire that failed is still there", lines, violations);
            }
        } else if (!killedKeys.contains(left.key())) {
            add(left, left.key(), "a lock that nobody was granted is there", List.of(left.toString()), violations);
        }
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
