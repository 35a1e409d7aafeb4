package dev.syncguard.internal;

import java.util.List;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** However the instructions of several waiters interleave, one of them has the turn, and none waits for it in vain. */
@Tag("once") // what it looks at does not depend on the JDK
@Param(name = "waiter", gen = IntGen.class, conf = "0:2")
public class LineLincheckTest {

    private final List<One> waiters =
            IntStream.range(0, 3).mapToObj(i -> new One()).toList();
    private final Line line = new Line(waiters.get(0), 0);
    private volatile int asking;

    private static final class One extends Waiter {
        private volatile boolean waits;
        private volatile boolean gone;

        @Override
        void newsArrived() {}
    }

    /** Makes a request if it is this waiter's turn; a waiter has one driver at a time. */
    @Operation
    public void ask(@Param(name = "waiter") int number) {
        One waiter = waiters.get(number);
        synchronized (waiter) {
            if (waiter.gone) {
                return;
            }
            boolean told = (waiter.takeNews() & Waiter.YOUR_REQUEST) != 0;
            waiter.waits = !line.tryAsk(waiter);
            if (!waiter.waits) {
                int others = asking++;
                if (others != 0) {
                    throw new IllegalStateException("two requests under way");
                }
                asking--;
                line.asked(waiter, 1, false);
            } else if (told) {
                line.passOn();
            }
        }
    }

    @Operation
    public void leave(@Param(name = "waiter") int number) {
        One waiter = waiters.get(number);
        synchronized (waiter) {
            waiter.gone = true;
            waiter.waits = false;
            line.left(waiter);
        }
    }

    @Validate
    public void noLostTurn() {
        boolean told = waiters.stream().anyMatch(w -> w.waits && w.hasNews());
        boolean waits = waiters.stream().anyMatch(w -> w.waits);
        if (waits && !told) {
            throw new IllegalStateException("a lost turn");
        }
    }

    @Test
    @DisplayName("the right to make the line's request is never held twice and never lost")
    void modelChecking() {
        new ModelCheckingOptions()
                .iterations(30)
                .invocationsPerIteration(500)
                .threads(2)
                .actorsPerThread(2)
                .check(LineLincheckTest.class);
    }
}
