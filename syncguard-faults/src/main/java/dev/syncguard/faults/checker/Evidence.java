package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The histories of a round, sorted by what they are about. */
public final class Evidence {

    private final List<Event> events;
    private final @Nullable Path logs;
    private final Map<String, Operation> byNumber = new LinkedHashMap<>();
    private final Map<String, Grant> byId = new HashMap<>();
    private final Map<String, List<Grant>> byKey = new LinkedHashMap<>();
    private final List<Window> faults = new ArrayList<>();
    private final Map<String, List<Window>> gaps = new HashMap<>();
    private final Set<String> ended = new TreeSet<>();
    private final Set<String> killed = new TreeSet<>();

    private Evidence(List<Event> events, @Nullable Path logs) {
        this.events = events;
        this.logs = logs;
    }

    /**
     * Sorts the events of a round.
     *
     * @param events by time
     * @param logs where the processes' outputs are; null if there are none
     * @return the evidence
     */
    public static Evidence of(List<Event> events, @Nullable Path logs) {
        Evidence evidence = new Evidence(events, logs);
        evidence.readOperations();
        evidence.readGrants();
        evidence.readWindows();
        return evidence;
    }

    private void readOperations() {
        for (Event event : events) {
            String name = event.process() + '/' + event.operation();
            switch (event.event()) {
                case "invoke" -> byNumber.put(name, new Operation(event));
                case "ok", "fail" -> {
                    Operation operation = byNumber.get(name);
                    if (operation != null) {
                        operation.ended(event);
                    }
                }
                case "end" -> ended.add(event.process());
                case "killed" -> killed.add(event.process());
                default -> {}
            }
        }
    }

    private void readGrants() {
        for (Operation operation : byNumber.values()) {
            if (operation.is("acquire") && operation.isOk()) {
                Grant grant = new Grant(operation);
                byId.put(grant.id(), grant);
                byKey.computeIfAbsent(grant.key(), key -> new ArrayList<>()).add(grant);
            }
        }
        byKey.values().forEach(grants -> grants.sort(Comparator.comparingLong(Grant::grantedAt)));
        for (Operation operation : byNumber.values()) {
            Grant grant = byId.get(operation.invoke().id());
            if (grant != null && (operation.is("release") || operation.is("extend"))) {
                grant.add(operation);
            }
        }
        for (Event event : events) {
            Grant grant = event.id() == null ? null : byId.get(event.id());
            if (grant != null
                    && (event.event().equals("belief") || event.event().equals("lost"))) {
                grant.add(event);
            }
        }
    }

    private void readWindows() {
        Map<String, Event> open = new LinkedHashMap<>();
        for (Event event : events) {
            if (event.event().equals("fault")) {
                String name = event.text() + "@" + event.target();
                if ("begin".equals(event.how())) {
                    open.put(name, event);
                } else {
                    Event begin = open.remove(name);
                    if (begin != null) {
                        faults.add(new Window(begin.time(), event.time(), begin));
                    }
                }
            } else if (event.event().equals("gap")) {
                gaps.computeIfAbsent(event.process(), process -> new ArrayList<>())
                        .add(new Window(event.time(), event.until(), event));
            }
        }
        open.values().forEach(begin -> faults.add(new Window(begin.time(), Long.MAX_VALUE, begin)));
    }

    /** All events by time. */
    public List<Event> events() {
        return events;
    }

    /** Where the outputs of the processes are. */
    @Nullable
    Path logs() {
        return logs;
    }

    /** All operations, in the order in which they began. */
    List<Operation> operations() {
        return List.copyOf(byNumber.values());
    }

    /** The grants of each key, in the order in which clients heard of them. */
    Map<String, List<Grant>> grants() {
        return byKey;
    }

    @Nullable
    Grant grant(String id) {
        return byId.get(id);
    }

    List<Window> faults() {
        return faults;
    }

    /** Whether a process ended because it was told to. */
    boolean hasEnded(String process) {
        return ended.contains(process);
    }

    Set<String> killed() {
        return killed;
    }

    /** Whether a fault that breaks this promise touches the time. */
    boolean isExcused(String invariant, long from, long to) {
        return faults.stream().anyMatch(fault -> fault.begin().items().contains(invariant) && fault.touches(from, to));
    }

    boolean isFaulty(long from, long to) {
        return faults.stream().anyMatch(fault -> fault.touches(from, to));
    }

    /** Whether a process as a whole stood still. */
    boolean stoodStill(String process, long from, long to) {
        return gaps.getOrDefault(process, List.of()).stream().anyMatch(gap -> gap.touches(from, to));
    }

    /** Whether the store took long to answer anyone: its slowness explains what a fault would. */
    boolean isSlow(long from, long to, long limit) {
        return byNumber.values().stream()
                .anyMatch(operation -> operation.is("release")
                        && operation.began() <= to
                        && operation.endedAt() >= from
                        && operation.endedAt() - operation.began() > limit);
    }

    /** The earliest moment at which the store can have judged an operation: not while another transaction had its row. */
    long judgedAfter(Operation operation) {
        return faults.stream()
                .filter(fault -> "row-stall".equals(fault.begin().text())
                        && operation.key().equals(fault.begin().key())
                        && fault.from() < operation.began()
                        && fault.to() < operation.endedAt())
                .mapToLong(Window::to)
                .reduce(operation.began(), Math::max);
    }
}
