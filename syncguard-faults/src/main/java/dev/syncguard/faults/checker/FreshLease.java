package dev.syncguard.faults.checker;

import java.util.ArrayList;
import java.util.List;

/**
 * I12: a lease that is handed out is not over. Its client read the clock when it got the lease, asked how long that was still
 * good, and read the clock again: it was over unless that took long, so that it may have run out meanwhile, or unless the
 * process as a whole stood still right before.
 */
final class FreshLease implements Invariant {

    private static final long MILLI = 1_000_000;
    private static final long JUST_BEFORE = 100 * MILLI;

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
                    boolean over = grant.ok().until() <= at && grant.ok().number() <= MILLI;
                    if (over && !evidence.stoodStill(grant.ok().process(), at - JUST_BEFORE, at)) {
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
