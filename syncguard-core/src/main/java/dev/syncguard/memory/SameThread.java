package dev.syncguard.memory;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/**
 * Runs tasks at once on the thread that hands them over. A long chain of tasks that hand over each other does not pile up on
 * the stack: from some depth on they run one after the other.
 */
final class SameThread implements Executor {

    private static final int DEEPEST = 64;

    private final ThreadLocal<Tasks> tasks = ThreadLocal.withInitial(Tasks::new);

    private static final class Tasks {
        private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
        private int depth;
    }

    @Override
    public void execute(Runnable task) {
        Tasks mine = tasks.get();
        if (mine.depth >= DEEPEST) {
            mine.waiting.add(task);
            return;
        }
        mine.depth++;
        try {
            for (Runnable next = task; next != null; next = mine.depth == DEEPEST ? mine.waiting.poll() : null) {
                next.run();
            }
        } finally {
            mine.depth--;
        }
    }
}
