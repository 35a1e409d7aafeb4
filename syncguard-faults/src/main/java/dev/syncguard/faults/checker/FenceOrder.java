package dev.syncguard.faults.checker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** I1: the fences of a key are distinct, and grow in real time. */
final class FenceOrder implements Invariant {

    @Override
    public String id() {
        return "I1";
    }

    @Override
    public String promise() {
        return "per key all granted fences are distinct and in real-time order";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        List<Violation> violations = new ArrayList<>();
        evidence.grants().values().forEach(grants -> check(evidence, grants, violations));
        return violations;
    }

    private void check(Evidence evidence, List<Grant> grants, List<Violation> violations) {
        List<Grant> byBegin = new ArrayList<>(grants);
        byBegin.sort(Comparator.comparingLong(Grant::began));
        PriorityQueue<Grant> waiting = new PriorityQueue<>(Comparator.comparingLong(Grant::grantedAt));
        Map<Long, Grant> seen = new HashMap<>();
        Grant highest = null;
        for (Grant grant : byBegin) {
            while (!waiting.isEmpty() && waiting.peek().grantedAt() < grant.began()) {
                Grant before = waiting.poll();
                highest = highest == null || before.fence() > highest.fence() ? before : highest;
            }
            if (highest != null && highest.fence() >= grant.fence()) {
                report(evidence, "a later grant has no higher fence", highest, grant, violations);
            }
            Grant same = seen.put(grant.fence(), grant);
            if (same != null) {
                report(evidence, "two grants have the same fence", same, grant, violations);
            }
            waiting.add(grant);
        }
    }

    private void report(Evidence evidence, String what, Grant first, Grant second, List<Violation> violations) {
        if (!evidence.isExcused(id(), first.began(), second.grantedAt())) {
            violations.add(new Violation(
                    id(),
                    first.key(),
                    first.grantedAt(),
                    second.grantedAt(),
                    what,
                    List.of(first.toString(), second.toString())));
        }
    }
}
