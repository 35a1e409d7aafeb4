package dev.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.internal.AcquireMachine.Step;
import dev.syncguard.internal.ModelWaiter.State;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** What holds in every state of an {@link AcquireModel}. */
final class Invariants {

    private Invariants() {}

    static void afterStep(AcquireModel model, ModelWaiter waiter, Step step) {
        long elapsed = model.now() - waiter.start;
        boolean wasAsking = waiter.state == State.ASKING;
        switch (step) {
            case ASK -> check(askers(model) == 0, "two requests under way");
            case SLEEP -> {
                long wake = waiter.machine.wakeInNanos(model.now());
                check(wake > 0, "a sleep of no time: a busy loop");
                check(elapsed + wake <= waiter.timeout() + AcquireModel.GRACE, "a sleep beyond the timeout");
                check(!waiter.cancelled && !model.closing, "sleeps although it should end");
            }
            case AWAIT_REPLY, CALL_BACK -> check(wasAsking, "waits for a reply without a request");
            case TIMED_OUT -> timedOut(model, waiter, elapsed);
            case ABORTED -> check(waiter.cancelled, "aborted by no one");
            case CLOSED -> check(model.closing, "closed by no one");
        }
        check(wasAsking == (step == Step.AWAIT_REPLY || step == Step.CALL_BACK), "forgot its request");
    }

    private static void timedOut(AcquireModel model, ModelWaiter waiter, long elapsed) {
        check(
                elapsed >= waiter.timeout() || model.answers - waiter.answersAtEntry >= waiter.policy.maxRetries(),
                "gave up early");
        if (waiter.asked == 0 && waiter.calledBack) {
            long share = Math.round((double) AcquireModel.GRACE * waiter.heldUp / waiter.timeout());
            check(elapsed >= waiter.timeout() + share, "gave up without an attempt of its own, held up by others");
        }
        if (waiter.asked == 0 && !waiter.calledBack) {
            check(elapsed >= waiter.timeout() + AcquireModel.GRACE, "gave up without an attempt of its own");
            boolean busy = Fields.get(waiter.line, Line.class, "asker") instanceof ModelWaiter;
            check(busy, "gave up without an attempt although it could ask");
        }
    }

    private static long askers(AcquireModel model) {
        return model.waiters.stream().filter(w -> w.state == State.ASKING).count();
    }

    static void inEveryState(AcquireModel model) {
        List<ModelWaiter> alive = model.waiters.stream()
                .filter(w -> w.state != State.ABSENT && w.state != State.GONE)
                .toList();
        for (ModelWaiter waiter : alive) {
            if (Fields.get(waiter.line, Line.class, "wanting") instanceof Collection<?> wanting) {
                check(wanting.size() == Set.copyOf(wanting).size(), "queued twice for the same turn");
            }
            Object asker = Fields.get(waiter.line, Line.class, "asker");
            if (asker instanceof ModelWaiter one) {
                check(
                        one.state == State.ASKING || one.state == State.LEAVING,
                        "the turn stays with one that does not ask");
            }
        }
        if (!alive.isEmpty() && alive.stream().allMatch(w -> w.state == State.SLEEPING && !w.isDue(model.now()))) {
            allSleep(model, alive);
        }
    }

    private static void allSleep(AcquireModel model, List<ModelWaiter> alive) {
        check(!model.mustAsk, "the key became free and no waiter asks");
        int leaders = 0;
        for (ModelWaiter waiter : alive) {
            check(
                    Fields.get(waiter.machine, AcquireMachine.class, "waitsForTurn")
                            .equals(false),
                    "a lost turn");
            boolean first = waiter.line.isFirst(waiter);
            check(
                    first
                            == Fields.get(waiter.machine, AcquireMachine.class, "first")
                                    .equals(true),
                    "a lost promotion");
            leaders += first ? 1 : 0;
            check(waiter.line == alive.get(0).line, "two lines of one key");
        }
        check(leaders == 1, "a line without a first");
    }

    static void check(boolean holds, String broken) {
        if (!holds) {
            throw new AssertionError(broken);
        }
    }

    /** From here on nothing comes from outside but answers of contention and the time: all waiters end in time. */
    static void allTimeOut(AcquireModel model) {
        int[] before = model.waiters.stream().mapToInt(w -> w.asked).toArray();
        for (int steps = 0; !settle(model); steps++) {
            assertThat(steps).as("times that pass until all have ended").isLessThan(200);
            long next = ModelEvents.nextTime(model);
            check(next != Long.MAX_VALUE, "sleeps for ever");
            model.passTime(next);
        }
        for (ModelWaiter waiter : model.waiters) {
            int more = waiter.asked - before[waiter.number];
            check(more <= waiter.policy.maxRetries() + 2L, "more polls than maxRetries allows");
        }
    }

    /** After a close all waiters end without time passing. */
    static void allEndAfterClose(AcquireModel model) {
        if (!model.closing) {
            model.close();
        }
        check(settle(model), "a waiter survives the close");
    }

    /** Lets everything happen that does not need time; returns whether all waiters have ended. */
    private static boolean settle(AcquireModel model) {
        for (int events = 0; ; events++) {
            check(events < 500, "never comes to rest: a busy loop");
            inEveryState(model);
            ModelWaiter next = model.waiters.stream()
                    .filter(w -> canMove(model, w))
                    .findFirst()
                    .orElse(null);
            if (next == null) {
                break;
            }
            move(model, next);
        }
        return model.waiters.stream().allMatch(w -> w.state == State.ABSENT || w.state == State.GONE);
    }

    private static boolean canMove(AcquireModel model, ModelWaiter waiter) {
        return waiter.state == State.ENTERED
                || waiter.state == State.LEAVING
                || waiter.state == State.ASKING
                || ModelEvents.canStep(model, waiter);
    }

    private static void move(AcquireModel model, ModelWaiter waiter) {
        switch (waiter.state) {
            case ENTERED -> model.join(waiter);
            case LEAVING -> model.leave(waiter);
            case ASKING -> model.contend(waiter, 1_000_000);
            default -> model.step(waiter);
        }
    }
}
