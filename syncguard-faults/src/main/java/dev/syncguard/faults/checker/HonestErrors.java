package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * I10: only documented failures, and nobody is kept out by a request of his own.
 *
 * <p>Keys that begin with {@code zq7:own-} belong to one thread. It is contended there only if an earlier call on that key failed,
 * or its process was replaced, within the time that a lock of it can last.
 */
final class HonestErrors implements Invariant {

    private static final Set<String> CODES = Set.of(
            "SERVICE_UNAVAILABLE",
            "AUTH_FAILED",
            "INVALID_ARGUMENT",
            "RATE_LIMITED",
            "NETWORK_TIMEOUT",
            "ACQUISITION_TIMEOUT",
            "ABORTED",
            "INTERNAL",
            // A stage that its caller cancelled; a guard that its caller closed.
            "CancellationException",
            "IllegalStateException",
            "ClosedException");
    private static final String OWN = "zq7:own-";
    private static final String ERRORS = "zq7:error-";
    private static final long SLACK = 6_000_000_000L;

    @Override
    public String id() {
        return "I10";
    }

    @Override
    public String promise() {
        return "only documented errors; an ambiguous outcome says so; nobody is locked out by his own replay";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        List<Violation> violations = new ArrayList<>();
        Map<String, Long> troubled = new HashMap<>();
        for (Operation operation : evidence.operations()) {
            if (!operation.process().startsWith(Recovery.PROBE)) {
                check(evidence, operation, troubled, violations);
            }
        }
        for (Event event : evidence.events()) {
            if (event.event().equals("look") && event.yes()) {
                violations.add(new Violation(
                        id(),
                        event.key(),
                        event.time(),
                        event.time(),
                        String.valueOf(event.note()),
                        List.of(event + "")));
            }
        }
        return violations;
    }

    private void check(Evidence evidence, Operation operation, Map<String, Long> troubled, List<Violation> violations) {
        boolean own = operation.key().startsWith(OWN);
        if (own && operation.is("acquire") && isKeptOut(operation)) {
            long until = troubled.getOrDefault(operation.key(), Long.MIN_VALUE);
            if (operation.began() > until && !evidence.isExcused(id(), operation.began(), operation.endedAt())) {
                add("kept out of a key that nobody else uses", operation, violations);
            }
        } else if (operation.isFailed()) {
            boolean seeded = operation.key().startsWith(ERRORS) && "StackOverflowError".equals(operation.code());
            boolean codeless = operation.code() == null && operation.isContended();
            if (!seeded && !codeless && !CODES.contains(String.valueOf(operation.code()))) {
                add("an error that is not documented", operation, violations);
            }
        }
        boolean unclear = operation.isFailed() || operation.end() == null || operation.isNo();
        if (own && unclear && !isKeptOut(operation)) {
            long lasts = operation.endedAt() == Long.MAX_VALUE ? killedUntil(evidence, operation) : operation.endedAt();
            troubled.merge(operation.key(), lasts + SLACK, Math::max);
        }
    }

    /** A process that was killed released nothing: its next life meets its locks. */
    private static long killedUntil(Evidence evidence, Operation operation) {
        return evidence.events().stream()
                .filter(event ->
                        event.event().equals("killed") && event.process().equals(operation.process()))
                .mapToLong(Event::time)
                .findFirst()
                .orElse(operation.began());
    }

    private static boolean isKeptOut(Operation operation) {
        return operation.isContended();
    }

    private void add(String what, Operation operation, List<Violation> violations) {
        violations.add(new Violation(
                id(), operation.key(), operation.began(), operation.endedAt(), what, List.of(operation.toString())));
    }
}
