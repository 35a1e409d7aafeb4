package dev.syncguard.faults.checker;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a history is linearizable: the algorithm of Wing, Gong and Lowe as Porcupine has it, with a memory of the
 * configurations that led nowhere.
 *
 * @param <S> the states of the model
 */
final class Wgl<S> {

    /** What the object may do. */
    interface Model<S> {

        /** The state after the operation had this result; null if it cannot have had it then. */
        @Nullable
        S step(S state, Call call);
    }

    /** An operation; one whose outcome is unknown ends never, and need not have happened. */
    record Call(Operation operation, long began, long ended, boolean optional) {}

    /** What can be said. */
    enum Answer {
        YES,
        NO,
        /** Too many possibilities to look at. */
        UNDECIDED
    }

    private record Configuration(List<Integer> open, int next, Object state) {}

    private static final int MOST_CONFIGURATIONS = 200_000;

    private final Model<S> model;
    private final Set<Configuration> dead = new HashSet<>();
    private int looked;

    Wgl(Model<S> model) {
        this.model = model;
    }

    /**
     * Decides.
     *
     * @param calls by the time at which they began
     * @param initial the state before them
     */
    Answer check(List<Call> calls, S initial) {
        boolean found = search(calls, initial);
        return found ? Answer.YES : looked >= MOST_CONFIGURATIONS ? Answer.UNDECIDED : Answer.NO;
    }

    private static final class Frame<S> {
        private final List<Integer> open;
        private final int next;
        private final S state;
        private int choice;

        Frame(List<Integer> open, int next, S state) {
            this.open = open;
            this.next = next;
            this.state = state;
        }
    }

    /**
     * A configuration is the calls that have begun and are not linearized ({@code open}), those not looked at yet (from
     * {@code next} on) and the state. A call may be linearized if it began before every open one ended.
     */
    private boolean search(List<Call> calls, S initial) {
        List<Frame<S>> stack = new ArrayList<>();
        stack.add(frame(calls, new ArrayList<>(), 0, initial));
        while (!stack.isEmpty() && looked < MOST_CONFIGURATIONS) {
            Frame<S> frame = stack.get(stack.size() - 1);
            if (frame.next == calls.size()
                    && frame.open.stream().allMatch(i -> calls.get(i).optional())) {
                return true;
            }
            Frame<S> following = frame.choice < frame.open.size() ? follow(calls, frame, frame.choice++) : null;
            if (following != null && dead.add(new Configuration(following.open, following.next, following.state))) {
                looked++;
                stack.add(following);
            } else if (frame.choice >= frame.open.size() && following == null) {
                stack.remove(stack.size() - 1);
            }
        }
        return false;
    }

    private @Nullable Frame<S> follow(List<Call> calls, Frame<S> frame, int choice) {
        Call call = calls.get(frame.open.get(choice));
        long firstEnd =
                frame.open.stream().mapToLong(i -> calls.get(i).ended()).min().orElse(Long.MAX_VALUE);
        S state = call.began() > firstEnd ? null : model.step(frame.state, call);
        if (state == null) {
            return null;
        }
        List<Integer> open = new ArrayList<>(frame.open);
        open.remove(choice);
        return frame(calls, open, frame.next, state);
    }

    /** Opens every call that began before the first of the open ones ended. */
    private Frame<S> frame(List<Call> calls, List<Integer> open, int next, S state) {
        int at = next;
        long firstEnd = open.stream().mapToLong(i -> calls.get(i).ended()).min().orElse(Long.MAX_VALUE);
        while (at < calls.size() && calls.get(at).began() <= firstEnd) {
            open.add(at);
            firstEnd = Math.min(firstEnd, calls.get(at).ended());
            at++;
        }
        return new Frame<>(open, at, Objects.requireNonNull(state));
    }
}
