package dev.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LineTest {

    private static final class One extends Waiter {
        @Override
        void newsArrived() {}
    }

    @Test
    @DisplayName("a waiter that left while it was queued for the next request does not take that request with it")
    void departedIsSkipped() {
        One asks = new One();
        One leaves = new One();
        One stays = new One();
        Line line = new Line(asks, 0);
        assertThat(line.tryAsk(asks)).isTrue();
        assertThat(line.tryAsk(leaves)).isFalse();
        assertThat(line.tryAsk(stays)).isFalse();

        line.left(leaves);
        line.asked(asks, 1, false);

        assertThat(stays.takeNews()).isEqualTo(Waiter.YOUR_REQUEST);
    }

    @Test
    @DisplayName("a turn that comes when its waiter does not want to ask any more goes to the next one")
    void unusedTurnIsPassedOn() {
        One asks = new One();
        One sleeps = new One();
        One wants = new One();
        Line line = new Line(asks, 0);
        line.append(sleeps);
        AcquireMachine machine =
                new AcquireMachine(LockOptions.defaults().retryPolicy(), sleeps, 0, TimeUnit.SECONDS.toNanos(1));
        machine.joined(line);
        assertThat(line.tryAsk(asks)).isTrue();
        assertThat(line.tryAsk(sleeps)).isFalse();
        assertThat(line.tryAsk(wants)).isFalse();

        line.asked(asks, 1, false);

        assertThat(machine.next(1, sleeps.takeNews())).isEqualTo(AcquireMachine.Step.SLEEP);
        assertThat(wants.takeNews()).isEqualTo(Waiter.YOUR_REQUEST);
    }

    @Test
    @DisplayName("a waiter leaves a long line without a search through it")
    void leavingIsQuick() {
        Line line = new Line(new One(), 0);
        List<Counting> waiters = Stream.generate(Counting::new).limit(1000).toList();
        waiters.forEach(line::append);

        for (int i = waiters.size() - 1; i >= 0; i--) {
            line.remove(waiters.get(i), null);
        }

        assertThat(waiters).extracting(waiter -> waiter.compared).allMatch(times -> times < 20);
    }

    /** Counts how often it is compared with another waiter. */
    private static final class Counting extends Waiter {
        private int compared;

        @Override
        void newsArrived() {}

        @Override
        public boolean equals(Object other) {
            compared++;
            if (other instanceof Counting counting) {
                counting.compared++;
            }
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}
