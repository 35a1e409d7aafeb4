package dev.syncguard.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.spring.boot.LocksFromProperties;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;

@SpringBootTest(
        classes = SimulatedApplicationTest.App.class,
        properties = "syncguard.backend=redis://nowhere.invalid",
        webEnvironment = SpringBootTest.WebEnvironment.NONE)
@AutoConfigureLockSimulator
class SimulatedApplicationTest {

    @Autowired
    private SyncGuard guard;

    @Autowired
    private LockSimulator simulator;

    @Test
    @DisplayName("a whole application has its locks in the simulator, whatever store is configured")
    void simulated() {
        guard.acquire("a");

        assertThat(simulator.fenceCounter("a")).isEqualTo(1);
    }

    @Configuration(proxyBeanMethods = false)
    @LocksFromProperties
    static class App {}
}
