package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** I5: what is held and not given up is not taken, and what is renewed is not lost without a fault. */
final class KeptLease implements Invariant {

    private static final long SECOND = 1_000_000_000;

    @Override
    public String id() {
        return "I5";
    }

    @Override
    public String promise() {
        return "a live, unreleased lease is never taken, and one that is renewed lasts while nothing is broken";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        List<Violation> violations = new ArrayList<>();
        evidence.grants().values().forEach(grants -> grants.forEach(grant -> check(evidence, grant, violations)));
        return violations;
    }

    private void check(Evidence evidence, Grant grant, List<Violation> violations) {
        for (Operation extension : grant.extensions()) {
            if (extension.isNo()) {
                gone(evidence, grant, Objects.requireNonNull(extension.end()), violations);
            }
        }
        for (Operation release : grant.releases()) {
            boolean first = release.began() == grant.releasedAt();
            if (release.isNo() && first) {
                gone(evidence, grant, Objects.requireNonNull(release.end()), violations);
            }
        }
        for (Event loss : grant.losses()) {
            gone(evidence, grant, loss, violations);
            if (grant.isAuto()) {
                starved(evidence, grant, loss, violations);
            }
        }
    }

    /** The store, or the library, says that the lock is gone although its time is not over. */
    private void gone(Evidence evidence, Grant grant, Event event, List<Violation> violations) {
        boolean releasedBefore = grant.releases().stream()
                .anyMatch(release -> release.end() != event && release.began() <= event.time());
        if (!releasedBefore
                && event.time() < grant.believedDeadline(event.time())
                && !evidence.isExcused(id(), grant.began(), event.time())) {
            violations.add(violation("a lock that was held and not released is gone", grant, event));
        }
    }

    private void starved(Evidence evidence, Grant grant, Event loss, List<Violation> violations) {
        long from = loss.time() - 2 * grant.ttlNanos() - SECOND;
        boolean explained = grant.releasedAt() <= loss.time()
                || evidence.isFaulty(from, loss.time())
                || evidence.stoodStill(loss.process(), from, loss.time())
                || evidence.isSlow(from, loss.time(), grant.ttlNanos() / 4);
        if (!explained) {
            violations.add(violation("a lease that is renewed was lost although nothing was broken", grant, loss));
        }
    }

    private Violation violation(String what, Grant grant, Event event) {
        return new Violation(
                id(), grant.key(), grant.grantedAt(), event.time(), what, List.of(grant.toString(), event.toString()));
    }
}
