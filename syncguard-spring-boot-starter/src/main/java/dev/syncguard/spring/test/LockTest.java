package dev.syncguard.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTestContextBootstrapper;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Tests locked beans alone, with simulated time: no other auto-configuration, and no component that the test does not import.
 *
 * <pre>{@code
 * @LockTest
 * @Import(InvoiceService.class)
 * class InvoiceServiceTest {
 *
 *     @Autowired InvoiceService invoices;
 *     @Autowired LockSimulator simulator;
 *
 *     @Test
 *     void refusesWhileAnotherInstanceCharges() {
 *         simulator.newGuard().acquire("invoice:42");
 *         assertThrows(AcquisitionTimeoutException.class, () -> invoices.charge(42));
 *     }
 * }
 * }</pre>
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@BootstrapWith(SpringBootTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@AutoConfigureLockSimulator
@ImportAutoConfiguration
@SuppressWarnings("exports") // tests are not modules that others require
public @interface LockTest {}
