package dev.syncguard.faults.checker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The lock of each key is linearizable as a register ({@link LockModel}), by an algorithm of its own: it finds again what
 * other invariants find, in another way, and orders that none of them forbids.
 *
 * <p>Judged in windows between moments at which no call of the key was under way. Calls whose outcome is unknown may happen
 * at any time after they began, or never; so may a release that repeats them. Keys with leases that are renewed in the
 * background are left out, because renewals are not in the histories.
 */
final class Linearizable implements Invariant {

    private static final int LONGEST_WINDOW = 300;

    @Override
    public String id() {
        return "L";
    }

    @Override
    public String promise() {
        return "per key the lock is linearizable as a register";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Map<String, List<Wgl.Call>> byKey = new HashMap<>();
        Set<String> renewed = new HashSet<>();
        for (Operation operation : evidence.operations()) {
            if (operation.is("acquire") || operation.is("release") || operation.is("extend")) {
                add(evidence, operation, byKey.computeIfAbsent(operation.key(), key -> new ArrayList<>()));
            }
        }
        evidence.grants().forEach((key, grants) -> {
            if (grants.stream().anyMatch(grant -> grant.isAuto() || isReleasedTwice(evidence, grant))) {
                renewed.add(key);
            }
        });
        List<Violation> violations = new ArrayList<>();
        byKey.forEach((key, calls) -> {
            if (!renewed.contains(key)) {
                check(evidence, key, calls, violations);
            }
        });
        return violations;
    }

    /** The late copy of its request has no place among the calls; {@link OneRelease} has judged it. */
    private static boolean isReleasedTwice(Evidence evidence, Grant grant) {
        return grant.mayComeTwice(evidence)
                && grant.releases().stream().filter(Operation::isYes).count() == 2;
    }

    /** Answers of lookups and refusals depend on requests that nobody knows of; grants and what follows them do not. */
    private static void add(Evidence evidence, Operation operation, List<Wgl.Call> calls) {
        boolean grant = operation.is("acquire");
        boolean unclear = operation.end() == null || operation.isFailed() || operation.isSilent();
        if (grant && unclear) {
            return; // a ghost: it can only make the key look longer locked than it was
        }
        boolean known = operation.invoke().id() == null
                || evidence.grant(operation.invoke().id()) != null;
        if (known) {
            calls.add(new Wgl.Call(
                    operation, operation.began(), unclear ? Long.MAX_VALUE : operation.endedAt(), unclear));
        }
    }

    private void check(Evidence evidence, String key, List<Wgl.Call> calls, List<Violation> violations) {
        List<Wgl.Call> window = new ArrayList<>();
        long busyUntil = Long.MIN_VALUE;
        for (Wgl.Call call : calls) {
            boolean quiet = call.began() > busyUntil && window.size() >= LONGEST_WINDOW;
            if (quiet) {
                judge(evidence, key, window, violations);
                window = carriedOver(window);
            }
            window.add(call);
            busyUntil = call.optional() ? busyUntil : Math.max(busyUntil, call.ended());
        }
        judge(evidence, key, window, violations);
    }

    /** The last grants, with what belongs to them: the next window begins with what they left. */
    private static List<Wgl.Call> carriedOver(List<Wgl.Call> window) {
        int from = window.size();
        for (int grants = 0; from > 0 && grants < 3; from--) {
            grants += window.get(from - 1).operation().is("acquire") ? 1 : 0;
        }
        return new ArrayList<>(window.subList(Math.max(0, from), window.size()));
    }

    private void judge(Evidence evidence, String key, List<Wgl.Call> window, List<Violation> violations) {
        Set<String> ids = new HashSet<>();
        window.stream()
                .filter(call -> call.operation().is("acquire"))
                .forEach(call -> ids.add(String.valueOf(call.operation().answeredId())));
        List<Wgl.Call> judged = window.stream()
                .filter(call -> call.operation().is("acquire")
                        || ids.contains(call.operation().invoke().id()))
                .toList();
        if (judged.isEmpty()) {
            return;
        }
        long from = judged.get(0).began();
        long to = judged.stream()
                .filter(call -> !call.optional())
                .mapToLong(Wgl.Call::ended)
                .max()
                .orElse(from);
        if (!evidence.isExcused("I2", from, to)
                && !evidence.isExcused(id(), from, to)
                && new Wgl<>(new LockModel()).check(judged, LockModel.State.FREE) == Wgl.Answer.NO) {
            List<String> lines =
                    judged.stream().limit(40).map(call -> call.operation() + "").toList();
            violations.add(new Violation(id(), key, from, to, "no order of these calls explains their answers", lines));
        }
    }
}
