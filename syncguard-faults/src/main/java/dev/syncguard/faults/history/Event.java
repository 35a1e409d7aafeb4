package dev.syncguard.faults.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of a history as it is read again. Fields that a line does not have are null, {@code 0} or {@link #NO_TIME}; which
 * line has which fields, the README says.
 */
public final class Event {

    /** There is no such time. */
    public static final long NO_TIME = Long.MIN_VALUE;

    long time;
    long operation;
    long until = NO_TIME;
    long ttl;
    long number;
    String process = "";
    String event = "";
    String function = "";
    String key = "";

    @Nullable
    String id;

    @Nullable
    String fence;

    @Nullable
    String text;

    @Nullable
    String how;

    @Nullable
    String target;

    @Nullable
    String note;

    @Nullable
    String value;

    @Nullable
    Boolean yes;

    boolean unknown;
    boolean contended;
    List<String> items = List.of();

    Event() {}

    /** When it happened, by {@link System#nanoTime()}. */
    public long time() {
        return time;
    }

    /** Which operation of the process it belongs to. */
    public long operation() {
        return operation;
    }

    /** Until when the holder believes in its lease, or {@link #NO_TIME}. */
    public long until() {
        return until;
    }

    /** The time to live that was asked for, in milliseconds. */
    public long ttl() {
        return ttl;
    }

    /** A count: of threads, locks, nanoseconds. */
    public long number() {
        return number;
    }

    /** Who wrote it. */
    public String process() {
        return process;
    }

    /** What kind of line it is: invoke, ok, fail, belief, lost, write, read, fault and others. */
    public String event() {
        return event;
    }

    /** The operation's name. */
    public String function() {
        return function;
    }

    /** The key; empty if there is none. */
    public String key() {
        return key;
    }

    /** The hash of the lock id. */
    public @Nullable String id() {
        return id;
    }

    /** The fence. */
    public @Nullable String fence() {
        return fence;
    }

    /** The code of a failure, the reason of a loss, the kind of a fault. */
    public @Nullable String text() {
        return text;
    }

    /** How an operation was called, the phase of a fault. */
    public @Nullable String how() {
        return how;
    }

    /** What a fault is aimed at, or who writes at the register. */
    public @Nullable String target() {
        return target;
    }

    /** What else there is to say. */
    public @Nullable String note() {
        return note;
    }

    /** What the register was given or gave. */
    public @Nullable String value() {
        return value;
    }

    /** The answer, where it is yes or no: valid, released, extended, accepted, found. */
    public boolean yes() {
        return Boolean.TRUE.equals(yes);
    }

    /** Whether the answer is given, and is no. */
    public boolean no() {
        return Boolean.FALSE.equals(yes);
    }

    /** Whether the outcome of a failed operation is unknown. */
    public boolean unknown() {
        return unknown;
    }

    /** Whether an attempt met another holder. */
    public boolean contended() {
        return contended;
    }

    /** What a fault excuses, which keys are left over. */
    public List<String> items() {
        return items;
    }

    /** Whether it is a line of this kind about this operation. */
    public boolean is(String kind, String name) {
        return event.equals(kind) && function.equals(name);
    }

    /** The client without the number of its life: {@code c1} for {@code c1.2}. */
    public String client() {
        int dot = process.indexOf('.');
        return dot < 0 ? process : process.substring(0, dot);
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        out.append(time).append(' ').append(process).append(' ').append(event);
        append(out, function);
        append(out, key.isEmpty() ? null : "key=" + key);
        append(out, id == null ? null : "id=" + id);
        append(out, fence == null ? null : "fence=" + fence);
        append(out, until == NO_TIME ? null : "until=" + until);
        append(out, ttl == 0 ? null : "ttl=" + ttl);
        append(out, text);
        append(out, how);
        append(out, target == null ? null : "target=" + target);
        append(out, value == null ? null : "value=" + value);
        append(out, yes == null ? null : yes.toString());
        append(out, unknown ? "unknown" : null);
        append(out, contended ? "contended" : null);
        append(out, note);
        return out.toString();
    }

    private static void append(StringBuilder out, @Nullable String part) {
        if (part != null && !part.isEmpty()) {
            out.append(' ').append(part);
        }
    }
}
