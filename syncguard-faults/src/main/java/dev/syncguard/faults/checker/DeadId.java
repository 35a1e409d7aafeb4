package dev.syncguard.faults.checker;

import java.util.ArrayList;
import java.util.List;

/**
 * I6: a lock id whose extension was refused, that has expired, or whose key was granted again is never extended.
 *
 * <p>A release may still succeed after a refused extension: extensions are judged strictly, releases with the tolerance that
 * contenders grant, and a release that hurts another holder is found by I4.
 */
final class DeadId implements Invariant {

    @Override
    public String id() {
        return "I6";
    }

    @Override
    public String promise() {
        return "after a refused extend, an expiry or a later grant no extend of that lock id succeeds";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        List<Violation> violations = new ArrayList<>();
        evidence.grants()
                .values()
                .forEach(grants -> grants.forEach(grant -> {
                    long refused = grant.extensions().stream()
                            .filter(Operation::isNo)
                            .mapToLong(Operation::endedAt)
                            .min()
                            .orElse(Long.MAX_VALUE);
                    for (Operation extension : grant.extensions()) {
                        if (extension.isYes()) {
                            check(evidence, grants, grant, refused, extension, violations);
                        }
                    }
                }));
        return violations;
    }

    private void check(
            Evidence evidence,
            List<Grant> grants,
            Grant grant,
            long refused,
            Operation extension,
            List<Violation> violations) {
        long judged = evidence.judgedAfter(extension);
        String what = null;
        if (extension.began() > refused) {
            what = "extended after an extension was refused";
        } else if (Later.isGranted(grants, grant, extension.began())) {
            what = "extended after a later grant";
        } else if (judged > storedUntilWithout(grant, extension)) {
            what = "extended after it had expired";
        }
        if (what != null && !evidence.isExcused(id(), grant.began(), extension.endedAt())) {
            violations.add(new Violation(
                    id(),
                    grant.key(),
                    grant.grantedAt(),
                    extension.endedAt(),
                    what,
                    List.of(grant.toString(), extension.toString())));
        }
    }

    private static long storedUntilWithout(Grant grant, Operation extension) {
        return grant.storedUntil(other -> other != extension && other.began() < extension.endedAt());
    }
}
