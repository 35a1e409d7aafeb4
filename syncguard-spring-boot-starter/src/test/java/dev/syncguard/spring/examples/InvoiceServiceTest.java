package dev.syncguard.spring.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.spring.examples.Examples.InvoiceService;
import dev.syncguard.spring.test.LockTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

@LockTest
@Import(InvoiceService.class)
class InvoiceServiceTest {

    @Autowired
    InvoiceService invoices;

    @Autowired
    LockSimulator simulator;

    @Test
    void refusesWhileAnotherInstanceCharges() {
        SyncGuard otherInstance = simulator.newGuard();
        otherInstance.acquire("invoice:42");

        assertThrows(AcquisitionTimeoutException.class, () -> invoices.charge(42));
    }

    @Test
    @DisplayName("the other examples run, each with a fence")
    void otherExamples(@Autowired SyncGuard guard) {
        invoices.charge(43);
        new Examples.Imports(guard).importFile("a.csv");

        assertThat(Examples.WRITTEN).hasSizeGreaterThanOrEqualTo(2);
    }
}
