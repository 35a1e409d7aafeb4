package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The lock of one key as a register: who holds it, with which fence, and when the store may forget that at the earliest.
 * Time is part of the model only so far: a lock may end by itself once its ttl has passed since it was asked for.
 */
final class LockModel implements Wgl.Model<LockModel.State> {

    private static final long MILLI = 1_000_000;

    /** Nobody, or somebody until a time. */
    record State(String holder, long fence, long mayEndAt) {
        static final State FREE = new State("", 0, Long.MIN_VALUE);
    }

    @Override
    public @Nullable State step(State state, Wgl.Call call) {
        Operation operation = call.operation();
        return switch (operation.invoke().function()) {
            case "acquire" -> acquire(state, call);
            case "release" -> release(state, call);
            default -> extend(state, call);
        };
    }

    private static @Nullable State acquire(State state, Wgl.Call call) {
        Event ok = Objects.requireNonNull(call.operation().end());
        long fence = Long.parseLong(Objects.requireNonNull(ok.fence()));
        boolean isFree = state.holder.isEmpty() || call.ended() >= state.mayEndAt;
        return isFree && fence > state.fence
                ? new State(Objects.requireNonNull(ok.id()), fence, earliestEnd(call))
                : null;
    }

    /** Servers count in whole milliseconds. */
    private static long earliestEnd(Wgl.Call call) {
        return call.began() + call.operation().invoke().ttl() * MILLI - 2 * MILLI;
    }

    private static @Nullable State release(State state, Wgl.Call call) {
        boolean isHeld = state.holder.equals(call.operation().invoke().id());
        if (call.optional()) {
            return isHeld ? new State("", state.fence, Long.MIN_VALUE) : state;
        }
        if (call.operation().isYes()) {
            return isHeld ? new State("", state.fence, Long.MIN_VALUE) : null;
        }
        return isHeld && call.ended() < state.mayEndAt ? null : state;
    }

    private static @Nullable State extend(State state, Wgl.Call call) {
        Operation operation = call.operation();
        boolean isHeld = state.holder.equals(operation.invoke().id());
        long ends = earliestEnd(call);
        boolean neverShortens = String.valueOf(operation.invoke().how()).contains("at-least");
        long mayEndAt = neverShortens ? Math.max(state.mayEndAt, ends) : ends;
        if (call.optional()) {
            return isHeld ? new State(state.holder, state.fence, Math.min(mayEndAt, state.mayEndAt)) : state;
        }
        if (operation.isYes()) {
            return isHeld ? new State(state.holder, state.fence, mayEndAt) : null;
        }
        return isHeld && call.ended() < state.mayEndAt ? null : state;
    }
}
