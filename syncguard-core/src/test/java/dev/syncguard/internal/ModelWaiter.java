package dev.syncguard.internal;

import dev.syncguard.RetryPolicy;
import org.jspecify.annotations.Nullable;

/** One acquire of the {@link AcquireModel}: the real machine, and a driver whose every step is an event of its own. */
final class ModelWaiter extends Waiter {

    enum State {
        ABSENT,
        ENTERED,
        READY,
        SLEEPING,
        ASKING,
        LEAVING,
        GONE
    }

    final int number;
    final RetryPolicy policy;
    State state = State.ABSENT;
    AcquireMachine.@Nullable Step ending;
    boolean withLease;
    boolean sent;
    boolean cancelled;
    boolean calledBack;
    long start;
    long heldUp;
    long wakeAt;
    int asked;
    int answersAtEntry;

    @Nullable
    AcquireMachine machine;

    @Nullable
    Line line;

    ModelWaiter(int number, RetryPolicy policy) {
        this.number = number;
        this.policy = policy;
    }

    @Override
    void newsArrived() {}

    boolean isDue(long now) {
        return hasNews() || now >= wakeAt;
    }

    long timeout() {
        return policy.timeout().toNanos();
    }

    @Override
    public String toString() {
        return String.valueOf(number);
    }

    /** Everything that decides what happens next. */
    String describe() {
        return switch (state) {
            case ABSENT, GONE -> state.name();
            default ->
                state + "," + ending + withLease + sent + cancelled + calledBack + "," + wakeAt + "," + heldUp + ","
                        + asked + ","
                        + answersAtEntry + "," + Fields.of(this, Waiter.class)
                        + Fields.of(machine, AcquireMachine.class);
        };
    }
}
