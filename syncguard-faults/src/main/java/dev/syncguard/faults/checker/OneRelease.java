package dev.syncguard.faults.checker;

import java.util.ArrayList;
import java.util.List;

/** I4: a lock is released once, and not after it was granted to another one. */
final class OneRelease implements Invariant {

    @Override
    public String id() {
        return "I4";
    }

    @Override
    public String promise() {
        return "at most one release of a lock id succeeds, and none after a later grant";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        List<Violation> violations = new ArrayList<>();
        evidence.grants()
                .values()
                .forEach(grants -> grants.forEach(grant -> {
                    List<Operation> done =
                            grant.releases().stream().filter(Operation::isYes).toList();
                    if (done.size() > (grant.mayComeTwice(evidence) ? 2 : 1)) {
                        add(evidence, "released " + done.size() + " times", grant, done, violations);
                    }
                    List<Operation> late = done.stream()
                            .filter(release -> Later.isGranted(grants, grant, release.began()))
                            .toList();
                    if (!late.isEmpty()) {
                        add(evidence, "released after a later grant", grant, late, violations);
                    }
                }));
        return violations;
    }

    private void add(
            Evidence evidence, String what, Grant grant, List<Operation> releases, List<Violation> violations) {
        long to = releases.get(releases.size() - 1).endedAt();
        if (!evidence.isExcused(id(), grant.began(), to)) {
            List<String> events = new ArrayList<>(List.of(grant.toString()));
            releases.forEach(release -> events.add(release.toString()));
            violations.add(new Violation(id(), grant.key(), grant.grantedAt(), to, what, events));
        }
    }
}
