package dev.syncguard.internal;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of acquires that cause each other on one thread: inside each other up to a depth, and one after the other
 * from there on, so that a line of thousands that leaves does not overflow the stack.
 */
final class Turns {

    private static final int DEEPEST = 16;
    private static final ThreadLocal<@Nullable Turns> CURRENT = new ThreadLocal<>();

    private @Nullable ArrayDeque<Runnable> waiting; // few go that deep
    private int depth;

    private Turns() {}

    static void run(Runnable step) {
        Turns turns = CURRENT.get();
        if (turns == null) {
            turns = new Turns();
            CURRENT.set(turns);
        }
        if (turns.depth == DEEPEST) {
            turns.postpone(step);
        } else {
            turns.nest(step);
        }
    }

    private void postpone(Runnable step) {
        if (waiting == null) {
            waiting = new ArrayDeque<>();
        }
        waiting.add(step);
    }

    private @Nullable Runnable next() {
        return depth < DEEPEST || waiting == null ? null : waiting.poll();
    }

    private void nest(Runnable step) {
        depth++;
        try {
            for (Runnable next = step; next != null; next = next()) {
                next.run();
            }
        } finally {
            depth--;
            if (depth == 0) {
                CURRENT.remove();
            }
        }
    }
}
