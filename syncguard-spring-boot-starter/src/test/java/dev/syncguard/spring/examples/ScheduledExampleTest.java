package dev.syncguard.spring.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Fence;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.spring.test.LockTest;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

@LockTest
@Import(Examples.Reports.class)
class ScheduledExampleTest {

    @Autowired
    private Examples.Reports reports;

    @Autowired
    private LockSimulator simulator;

    @Test
    @DisplayName("the example of the README: a second run within five minutes is skipped, one after them is not")
    void skips() {
        reports.report();
        reports.report();
        assertThat(simulator.lastFence("report")).isEqualTo(new Fence(1));

        simulator.advance(Duration.ofMinutes(6));
        reports.report();
        assertThat(simulator.lastFence("report")).isEqualTo(new Fence(2));
    }
}
