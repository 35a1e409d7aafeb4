package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** I7: after everything is healed the probe is granted every key within a bound. */
final class Recovery implements Invariant {

    /** The process that asks for every key at the end. */
    static final String PROBE = "probe";

    private static final long MILLI = 1_000_000;
    private static final long TOLERANCE = 1000;
    private static final long COMMAND_TIMEOUT = 2000;
    private static final long LONGEST_BACKOFF = 2000;

    @Override
    public String id() {
        return "I7";
    }

    @Override
    public String promise() {
        return "after healing every key is granted within ttl + 1000 ms + command timeout + maximum backoff";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        long healed = evidence.events().stream()
                .filter(event -> event.event().equals("healed"))
                .mapToLong(Event::time)
                .max()
                .orElse(Long.MAX_VALUE);
        Map<String, Long> longest = new HashMap<>();
        List<Violation> violations = new ArrayList<>();
        for (Operation operation : evidence.operations()) {
            if (operation.process().startsWith(PROBE)) {
                if (operation.is("acquire")) {
                    check(operation, healed, longest.getOrDefault(operation.key(), 0L), violations);
                }
            } else {
                longest.merge(operation.key(), operation.invoke().ttl(), Math::max);
            }
        }
        return violations;
    }

    /** A process needs time to start: what is free must be granted soon after it was asked for. */
    private void check(Operation acquire, long healed, long ttl, List<Violation> violations) {
        long slack = (TOLERANCE + COMMAND_TIMEOUT + LONGEST_BACKOFF) * MILLI;
        long limit = Math.max(healed + ttl * MILLI, acquire.began()) + slack;
        if (!acquire.isOk() || acquire.endedAt() > limit) {
            violations.add(new Violation(
                    id(),
                    acquire.key(),
                    acquire.began(),
                    Math.min(acquire.endedAt(), limit),
                    "not granted in time after everything was healed; the longest ttl was " + ttl + " ms",
                    List.of(acquire.toString())));
        }
    }
}
