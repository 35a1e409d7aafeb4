package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import org.jspecify.annotations.Nullable;

/** One call of a client: when it began, and how and when it ended, if it did. */
final class Operation {

    private final Event invoke;
    private @Nullable Event end;

    Operation(Event invoke) {
        this.invoke = invoke;
    }

    void ended(Event event) {
        end = event;
    }

    Event invoke() {
        return invoke;
    }

    @Nullable
    Event end() {
        return end;
    }

    long began() {
        return invoke.time();
    }

    /** Never, if the process was killed meanwhile. */
    long endedAt() {
        return end == null ? Long.MAX_VALUE : end.time();
    }

    String key() {
        return invoke.key();
    }

    String process() {
        return invoke.process();
    }

    boolean isOk() {
        return end != null && end.event().equals("ok");
    }

    boolean isFailed() {
        return end != null && end.event().equals("fail");
    }

    boolean isYes() {
        return isOk() && end != null && end.yes();
    }

    boolean isNo() {
        return isOk() && end != null && end.no();
    }

    boolean is(String function) {
        return invoke.function().equals(function);
    }

    /** The lock id of the answer, if there is one. */
    @Nullable
    String answeredId() {
        return end == null ? null : end.id();
    }

    /** The code of the failure, if it failed. */
    @Nullable
    String code() {
        return end == null ? null : end.text();
    }

    boolean isContended() {
        return end != null && end.contended();
    }

    /** Whether it succeeded without saying what it did. */
    boolean isSilent() {
        return isOk() && end != null && "close".equals(end.how());
    }

    @Override
    public String toString() {
        return invoke + " => " + (end == null ? "never" : end);
    }
}
