package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** I3: what the resource accepted, in the order of its own log. Nothing excuses it where fences are floored by time. */
final class FencedResource implements Invariant {

    private static final class Cell {
        private long highest;
        private String value = "";
        private @Nullable Event last;
    }

    @Override
    public String id() {
        return "I3";
    }

    @Override
    public String promise() {
        return "the resource never accepts a smaller fence after a larger one, and no accepted write is lost";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        List<Violation> violations = new ArrayList<>();
        Map<String, Cell> cells = new HashMap<>();
        for (Event event : evidence.events()) {
            boolean isAnswer = event.event().equals("write") || event.event().equals("read");
            if (isAnswer && event.yes()) {
                accepted(cells.computeIfAbsent(event.key(), key -> new Cell()), event, violations);
            }
        }
        return violations;
    }

    private void accepted(Cell cell, Event event, List<Violation> violations) {
        long fence = Long.parseLong(Objects.requireNonNull(event.fence()));
        if (fence < cell.highest) {
            report("a smaller fence was accepted after a larger one", cell, event, violations);
        }
        boolean isWrite = event.event().equals("write");
        String seen = isWrite ? event.note() : event.value();
        if (!cell.value.equals(seen == null ? "" : seen)) {
            report(
                    isWrite ? "a write was lost: this one was made from an older value" : "a read missed a write",
                    cell,
                    event,
                    violations);
        }
        cell.highest = Math.max(cell.highest, fence);
        cell.last = event;
        if (isWrite) {
            cell.value = Objects.requireNonNull(event.value());
        }
    }

    private void report(String what, Cell cell, Event event, List<Violation> violations) {
        long from = cell.last == null ? event.time() : cell.last.time();
        violations.add(new Violation(
                id(), event.key(), from, event.time(), what, List.of(String.valueOf(cell.last), event.toString())));
    }
}
