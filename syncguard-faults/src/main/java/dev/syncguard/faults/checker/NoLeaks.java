package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import java.util.ArrayList;
import java.util.List;

/** I8: a client that ends leaves no thread, socket or pooled connection, and does end. */
final class NoLeaks implements Invariant {

    @Override
    public String id() {
        return "I8";
    }

    @Override
    public String promise() {
        return "threads, sockets and pools return to their baseline, and no call hangs";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        List<Violation> violations = new ArrayList<>();
        for (Event event : evidence.events()) {
            if (event.event().equals("resources") && event.number() > 0) {
                add(event, event.process() + " leaves " + event.number() + " " + event.text(), violations);
            } else if (event.event().equals("stuck")) {
                add(event, "a call of " + event.process() + " does not end", violations);
            }
        }
        return violations;
    }

    private void add(Event event, String what, List<Violation> violations) {
        violations.add(new Violation(id(), "", event.time(), event.time(), what, List.of(event.toString())));
    }
}
