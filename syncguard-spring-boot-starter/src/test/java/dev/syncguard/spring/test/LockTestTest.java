package dev.syncguard.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.spring.CurrentLease;
import dev.syncguard.spring.Locked;
import dev.syncguard.spring.test.application.Application;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;

@LockTest
@TestPropertySource(properties = "syncguard.defaults.ttl=9s")
@ContextConfiguration(classes = Application.class)
@Import(LockTestTest.Invoices.class)
class LockTestTest {

    @Autowired
    private Invoices invoices;

    @Autowired
    private LockSimulator simulator;

    @Autowired
    private ApplicationContext context;

    @Test
    @DisplayName("the lock of an imported bean is in the simulator")
    void simulated() {
        invoices.charge(42);

        assertThat(simulator.lastFence("invoice:42").value()).isEqualTo(1);
    }

    @Test
    @DisplayName("a bean waits in simulated time while another process holds the lock")
    void contended() {
        try (SyncGuard other = simulator.newGuard()) {
            other.acquire("invoice:43");
            assertThatThrownBy(() -> invoices.charge(43)).isInstanceOf(AcquisitionTimeoutException.class);
            simulator.advance(Duration.ofMinutes(1));
            invoices.charge(43);
        }
    }

    @Test
    @DisplayName("the options are those of the application's properties")
    void options(@Autowired SyncGuard guard) {
        assertThat(guard.options().ttl().millis()).isEqualTo(9000);
    }

    @Test
    @DisplayName("components of the application and other auto-configuration stay out")
    void slice() {
        assertThat(context.getBeanNamesForType(DataSource.class)).isEmpty();
        assertThat(context.containsBean("component")).isFalse();
        assertThat(context.getBeanNamesForType(SyncGuard.class)).hasSize(1);
    }

    static class Invoices {

        @Locked(key = "'invoice:' + #id")
        public void charge(long id) {
            assertThat(CurrentLease.get().isValid()).isTrue();
        }
    }
}
