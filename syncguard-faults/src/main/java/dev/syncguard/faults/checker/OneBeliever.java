package dev.syncguard.faults.checker;

import java.util.ArrayList;
import java.util.List;

/** I2: nobody relies on a lock while another one does. */
final class OneBeliever implements Invariant {

    @Override
    public String id() {
        return "I2";
    }

    @Override
    public String promise() {
        return "believed leases of one key never overlap";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        List<Violation> violations = new ArrayList<>();
        evidence.grants().values().forEach(grants -> check(evidence, grants, violations));
        return violations;
    }

    private void check(Evidence evidence, List<Grant> grants, List<Violation> violations) {
        Grant longest = null;
        long until = Long.MIN_VALUE;
        for (Grant grant : grants) {
            long from = grant.grantedAt();
            long to = grant.believedUntil();
            if (longest != null && from < until && to > from) {
                report(evidence, longest, until, grant, to, violations);
            }
            if (longest == null || to > until) {
                longest = grant;
                until = to;
            }
        }
    }

    private void report(
            Evidence evidence, Grant first, long firstUntil, Grant second, long secondUntil, List<Violation> found) {
        long to = Math.min(firstUntil, secondUntil);
        // Who heard of it first need not have asked first.
        long began = Math.min(first.began(), second.began());
        if (!evidence.isExcused(id(), began, second.grantedAt())) {
            found.add(new Violation(
                    id(),
                    first.key(),
                    second.grantedAt(),
                    to,
                    "two holders for " + (to - second.grantedAt()) / 1000 + " us",
                    List.of(first + ", believed until " + firstUntil, second + ", believed until " + secondUntil)));
        }
    }
}
