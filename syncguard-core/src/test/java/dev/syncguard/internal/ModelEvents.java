package dev.syncguard.internal;

import dev.syncguard.internal.ModelWaiter.State;
import java.util.ArrayList;
import java.util.List;

/** The events of an {@link AcquireModel} that may be next, as numbers: a path is a list of them. */
final class ModelEvents {

    private static final int KINDS = 16;
    private static final long LEAP = 200 * AcquireModel.MILLI;

    private enum Kind {
        ENTER,
        JOIN,
        STEP,
        SEND,
        GRANT,
        CONTEND_SHORT,
        CONTEND_LONG,
        FAIL,
        LEAVE,
        RELEASE,
        SIGNAL,
        CANCEL,
        CLOSE,
        TICK,
        LEAP
    }

    private ModelEvents() {}

    static List<Integer> enabled(AcquireModel model) {
        List<Integer> events = new ArrayList<>();
        for (ModelWaiter waiter : model.waiters) {
            ofWaiter(model, waiter, events);
        }
        add(events, Kind.RELEASE, 0, model.holder != null && model.holder.state == State.GONE);
        add(events, Kind.SIGNAL, 0, !model.subscriptions.isEmpty() && model.holder == null);
        add(events, Kind.CLOSE, 0, !model.closing);
        add(events, Kind.TICK, 0, nextTime(model) != Long.MAX_VALUE);
        add(events, Kind.LEAP, 0, !model.leapt);
        return events;
    }

    private static void ofWaiter(AcquireModel model, ModelWaiter waiter, List<Integer> events) {
        int i = waiter.number;
        boolean inTurn = i == 0 || model.waiters.get(i - 1).state != State.ABSENT;
        add(events, Kind.ENTER, i, waiter.state == State.ABSENT && inTurn && !model.closing);
        add(events, Kind.JOIN, i, waiter.state == State.ENTERED);
        add(events, Kind.STEP, i, canStep(model, waiter));
        boolean asking = waiter.state == State.ASKING;
        add(events, Kind.SEND, i, asking && !waiter.sent);
        boolean answerable = asking && waiter.sent;
        add(events, Kind.GRANT, i, answerable && model.holder == null);
        add(events, Kind.CONTEND_SHORT, i, answerable);
        add(events, Kind.CONTEND_LONG, i, answerable);
        add(events, Kind.FAIL, i, answerable);
        add(events, Kind.LEAVE, i, waiter.state == State.LEAVING);
        boolean alive = waiter.state != State.ABSENT && waiter.state != State.GONE && waiter.state != State.LEAVING;
        add(events, Kind.CANCEL, i, alive && !waiter.cancelled);
    }

    static boolean canStep(AcquireModel model, ModelWaiter waiter) {
        return switch (waiter.state) {
            case READY -> true;
            case SLEEPING -> waiter.isDue(model.now());
            case ASKING -> model.scenario.stepsWhileAsking() && (waiter.hasNews() || isQueuedTooLong(model, waiter));
            default -> false;
        };
    }

    private static boolean isQueuedTooLong(AcquireModel model, ModelWaiter waiter) {
        return model.scenario.queues() && model.now() >= waiter.wakeAt;
    }

    static long nextTime(AcquireModel model) {
        return model.waiters.stream()
                .filter(w -> w.state == State.SLEEPING
                        || (w.state == State.ASKING && model.scenario.queues() && model.scenario.stepsWhileAsking()))
                .mapToLong(w -> w.wakeAt)
                .filter(at -> at > model.now())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    @SuppressWarnings("EnumOrdinal") // an event is one number, so that paths are short; they are not kept
    private static void add(List<Integer> events, Kind kind, int waiter, boolean enabled) {
        if (enabled) {
            events.add(waiter * KINDS + kind.ordinal());
        }
    }

    static void apply(AcquireModel model, int event) {
        ModelWaiter waiter = model.waiters.get(event / KINDS);
        switch (Kind.values()[event % KINDS]) {
            case ENTER -> model.enter(waiter);
            case JOIN -> model.join(waiter);
            case STEP -> model.step(waiter);
            case SEND -> waiter.sent = true;
            case GRANT -> model.grant(waiter);
            case CONTEND_SHORT -> model.contend(waiter, 1);
            case CONTEND_LONG -> model.contend(waiter, 1_000_000);
            case FAIL -> model.fail(waiter);
            case LEAVE -> model.leave(waiter);
            case RELEASE -> model.release();
            case SIGNAL -> model.signal();
            case CANCEL -> model.cancel(waiter);
            case CLOSE -> model.close();
            case TICK -> model.passTime(nextTime(model));
            case LEAP -> {
                model.leapt = true;
                model.passTime(model.now() + LEAP);
            }
        }
    }

    static String name(int event) {
        return Kind.values()[event % KINDS] + "(" + event / KINDS + ")";
    }
}
