package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import dev.syncguard.faults.history.Histories;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A round as a picture shows it.
 *
 * @param from its first moment, by {@link System#nanoTime()}
 * @param to its last moment
 * @param holds who held which lock
 * @param accesses what holders did at the register
 * @param faults what went wrong meanwhile
 */
public record Timeline(long from, long to, List<Hold> holds, List<Access> accesses, List<Trouble> faults) {

    /** How a hold ended. */
    public enum End {
        /** The holder released it. */
        RELEASED,
        /** The holder was told that it had lost the lock. */
        LOST,
        /** Neither: it was abandoned, or its process died, and the lock expired. */
        EXPIRED
    }

    /**
     * A lock that a client held.
     *
     * @param key the key
     * @param process who held it
     * @param fence the fence
     * @param from when the client heard of the grant
     * @param to until when it relied on it
     * @param end how it ended
     */
    public record Hold(String key, String process, long fence, long from, long to, End end) {}

    /**
     * An access to the register that names a fence.
     *
     * @param key the key
     * @param process who wrote or read
     * @param fence the fence that it showed
     * @param time when the register judged it
     * @param write whether it was a write
     * @param accepted whether the register accepted it
     */
    public record Access(String key, String process, long fence, long time, boolean write, boolean accepted) {}

    /**
     * A fault.
     *
     * @param kind what it was
     * @param target what it was aimed at
     * @param from when it began
     * @param to when it ended, or the round did
     */
    public record Trouble(String kind, String target, long from, long to) {}

    /**
     * Reads a round.
     *
     * @param directory of the round
     * @return its timeline
     */
    public static Timeline of(Path directory) {
        Evidence evidence = Evidence.of(Histories.read(directory), null);
        List<Event> events = evidence.events();
        long from = events.isEmpty() ? 0 : events.get(0).time();
        long to = events.isEmpty() ? 0 : events.get(events.size() - 1).time();
        return new Timeline(
                from,
                to,
                evidence.grants().values().stream()
                        .flatMap(List::stream)
                        .map(Timeline::hold)
                        .toList(),
                events.stream().filter(Timeline::isAccess).map(Timeline::access).toList(),
                evidence.faults().stream().map(fault -> trouble(fault, to)).toList());
    }

    private static Hold hold(Grant grant) {
        long until = Math.max(grant.grantedAt(), grant.believedUntil());
        End end = grant.releasedAt() <= until ? End.RELEASED : grant.losses().isEmpty() ? End.EXPIRED : End.LOST;
        return new Hold(grant.key(), grant.acquire().process(), grant.fence(), grant.grantedAt(), until, end);
    }

    private static boolean isAccess(Event event) {
        return event.process().equals("register") && event.fence() != null;
    }

    private static Access access(Event event) {
        return new Access(
                event.key(),
                Objects.requireNonNullElse(event.target(), ""),
                Long.parseLong(Objects.requireNonNull(event.fence())),
                event.time(),
                event.event().equals("write"),
                event.yes());
    }

    private static Trouble trouble(Window fault, long end) {
        Event begin = fault.begin();
        return new Trouble(
                Objects.requireNonNullElse(begin.text(), "fault"),
                Objects.requireNonNullElse(begin.target(), ""),
                fault.from(),
                Math.min(fault.to(), end));
    }
}
