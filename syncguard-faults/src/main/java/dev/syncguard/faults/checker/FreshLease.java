package dev.syncguard.faults.checker;

import java.util.ArrayList;
import java.util.List;

/**
 * I12: a lease that is handed out is not over. A process that stood still may have missed its time, and a thread may have
 * waited for a processor after the lease was found to be good.
 */
final class FreshLease implements Invariant {

    private static final long MARGIN = 100_000_000;

    @Override
    public String id() {
        return "I12";
    }

    @Override
    public String promise() {
        return "acquire never returns success without remaining time";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        List<Violation> violations = new ArrayList<>();
        evidence.grants()
                .values()
                .forEach(grants -> grants.forEach(grant -> {
                    long at = grant.grantedAt();
                    boolean over = grant.ok().until() <= at;
                    long late = at - grant.began() - grant.ttlNanos();
                    if (over && late > MARGIN && !evidence.stoodStill(grant.ok().process(), grant.began(), at)) {
                        violations.add(new Violation(
                                id(),
                                grant.key(),
                                grant.began(),
                                at,
                                "granted without remaining time",
                                List.of(grant.toString())));
                    }
                }));
        return violations;
    }
}
