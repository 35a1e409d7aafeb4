package dev.syncguard.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockInfo;
import dev.syncguard.SyncGuard;
import dev.syncguard.spring.boot.Contexts;
import dev.syncguard.spring.boot.LocksInMemory;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;

class LockedTest {

    private static ConfigurableApplicationContext context;
    private static SyncGuard guard;
    private static Invoices invoices;

    @BeforeAll
    static void start() {
        context = Contexts.start(App.class, "locked.ttl=7s");
        guard = context.getBean(SyncGuard.class);
        invoices = context.getBean(Invoices.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    @DisplayName("the lock of the key is held while the method runs, and released after it")
    void holds() {
        LockInfo inside = invoices.charge(42);

        assertThat(inside.fence().value()).isPositive();
        assertThat(guard.isLocked("invoice:42")).isFalse();
    }

    @Test
    @DisplayName("ttl and times are those of the annotation, placeholders included")
    void durations() {
        LockInfo inside = invoices.charge(43);

        assertThat(inside.expiresAtMs() - inside.acquiredAtMs()).isEqualTo(7000);
    }

    @Test
    @DisplayName("the lease and its fence are injected, and are the current ones of the thread")
    void injects() {
        assertThat(invoices.injected(1, null, null)).isTrue();
        assertThat(CurrentLease.find()).isEmpty();
    }

    @Test
    @DisplayName("a caller that passes a lease of its own is told that it is in the way")
    void givenLease() {
        try (Lease other = guard.acquire("other")) {
            assertThatThrownBy(() -> invoices.injected(1, other, null))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("@Locked on Invoices.injected(long, Lease, Fence)")
                    .hasMessageContaining("passes null");
        }
        assertThat(guard.isLocked("invoice:1")).isFalse();
    }

    @Test
    @DisplayName("outside of a locked method there is no current lease, and the message says why")
    void noCurrentLease() {
        assertThatThrownBy(invoices::unlocked)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("bypasses the proxy");
    }

    @Test
    @DisplayName("a nested lock is the current one until it ends")
    void nested() {
        assertThat(invoices.nested(invoices)).isTrue();
    }

    @Test
    @DisplayName("a held lock throws, skips or falls back")
    void contended() {
        Contexts.whileHeld(guard, "busy", () -> {
            assertThatThrownBy(invoices::throwing).isInstanceOf(AcquisitionTimeoutException.class);
            assertThat(invoices.skipping()).isNull();
            assertThat(invoices.skippingOptional()).isEmpty();
            assertThat(invoices.fallingBack(7, null)).isEqualTo("instead of 7");
            invoices.skippingVoid();
            assertThatThrownBy(invoices::failingFallback)
                    .isInstanceOf(IOException.class)
                    .hasMessage("fallback");
        });
        assertThat(invoices.skipping()).isEqualTo("ran");
        assertThat(invoices.fallingBack(7, null)).isEqualTo("ran 7");
    }

    @Test
    @DisplayName("contention inside of the method is not contention of its own lock")
    void contentionInside() {
        Contexts.whileHeld(guard, "busy", () -> {
            assertThatThrownBy(() -> invoices.skippingOuter(invoices)).isInstanceOf(AcquisitionTimeoutException.class);
        });
    }

    @Test
    @DisplayName("exceptions of the method arrive as they are, checked ones too")
    void exceptions() {
        assertThatThrownBy(invoices::failing).isInstanceOf(IOException.class).hasMessage("disk");
        assertThat(guard.isLocked("failing")).isFalse();
        assertThatThrownBy(invoices::erring).isInstanceOf(AssertionError.class);
        assertThat(guard.isLocked("erring")).isFalse();
    }

    @Test
    @DisplayName("a lock that is lost while the method runs is an exception at its end")
    void lost() {
        assertThatThrownBy(invoices::losing).isInstanceOf(LeaseLostException.class);
    }

    @Test
    @DisplayName("a checked exception of a method that has lost its lock tells of the loss, too")
    void lostAndFailed() {
        assertThatThrownBy(invoices::losingAndFailing)
                .isInstanceOf(IOException.class)
                .satisfies(e -> assertThat(e.getSuppressed())
                        .hasOnlyElementsOfType(LeaseLostException.class)
                        .isNotEmpty());
    }

    @Test
    @DisplayName("a lock may stay locked for a minimum")
    void holdAtLeast() {
        invoices.minimum();

        assertThat(guard.isLocked("minimum")).isTrue();
    }

    @Test
    @DisplayName("an annotation of the application's own may stand for the lock")
    void composed() {
        assertThat(invoices.composed("x")).isTrue();
    }

    @Test
    @DisplayName("the key may come from a property of an argument, a bean, or the target")
    void expressions() {
        assertThat(invoices.byProperty(new Order("a-1"))).isTrue();
        assertThat(invoices.byBean()).isTrue();
        assertThat(invoices.byPosition("p")).isTrue();
    }

    @Test
    @DisplayName("a key that is null, an object or too long is refused with the name of the method")
    void badKeys() {
        assertThatThrownBy(() -> invoices.byProperty(new Order(null)))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT))
                .hasMessageContaining("@Locked on Invoices.byProperty(Order): the key \"#order.number\" gives null");
        assertThatThrownBy(() -> invoices.byObject(new Order("a-1")))
                .hasMessageContaining("@Locked on Invoices.byObject(Order)")
                .hasMessageContaining("gives a " + Order.class.getName());
        assertThatThrownBy(() -> invoices.byPosition("x".repeat(600)))
                .hasMessageContaining("@Locked on Invoices.byPosition(String)")
                .hasMessageContaining("512 bytes");
        assertThatThrownBy(() -> invoices.byPosition(null)).hasMessageContaining("gives null");
        assertThatThrownBy(invoices::unquoted).hasMessageContaining("a fixed text stands in quotes");
    }

    @Test
    @DisplayName("a lock is found on the method of a superclass that is not overridden")
    void inherited() {
        assertThat(invoices.inBase()).isTrue();
    }

    record Order(String number) {

        public String getNumber() {
            return number;
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Locked(key = "", ttl = "5s")
    @interface PerTenant {

        @AliasFor(annotation = Locked.class, attribute = "key")
        String value();
    }

    static class Base {

        SyncGuard guard;

        @Locked(key = "'base'")
        public boolean inBase() {
            return guard.isLocked("base");
        }
    }

    static class Invoices extends Base {

        Invoices(SyncGuard guard) {
            this.guard = guard;
        }

        public String getTenant() {
            return "acme";
        }

        @Locked(key = "'invoice:' + #id", ttl = "${locked.ttl}")
        public LockInfo charge(long id) {
            return guard.lookup("invoice:" + id).orElseThrow();
        }

        @Locked(key = "'invoice:' + #id")
        public boolean injected(long id, Lease lease, Fence fence) {
            return lease.isValid() && lease.fence().equals(fence) && CurrentLease.get() == lease;
        }

        public Fence unlocked() {
            return CurrentLease.get().fence();
        }

        @Locked(key = "'outer'")
        public boolean nested(Invoices self) {
            Lease outer = CurrentLease.get();
            boolean inner = self.injected(9, null, null);
            return inner && CurrentLease.get() == outer;
        }

        @Locked(key = "'busy'", waitAtMost = "0")
        public String throwing() {
            return "ran";
        }

        @Locked(key = "'busy'", waitAtMost = "0", onContention = OnContention.SKIP)
        public String skipping() {
            return "ran";
        }

        @Locked(key = "'busy'", waitAtMost = "0", onContention = OnContention.SKIP)
        public Optional<String> skippingOptional() {
            return Optional.of("ran");
        }

        @Locked(key = "'busy'", waitAtMost = "0", onContention = OnContention.SKIP)
        public void skippingVoid() {
            throw new AssertionError("not free");
        }

        @Locked(key = "'skipping-outer'", onContention = OnContention.SKIP)
        public String skippingOuter(Invoices self) {
            return self.throwing();
        }

        @Locked(key = "'busy'", waitAtMost = "0", fallback = "instead")
        public String fallingBack(int id, Lease lease) {
            return "ran " + id;
        }

        @SuppressWarnings("unused") // by name
        private String instead(int id) {
            return "instead of " + id;
        }

        @Locked(key = "'busy'", waitAtMost = "0", fallback = "noDisk")
        public String failingFallback() throws IOException {
            return "ran";
        }

        @SuppressWarnings("unused") // by name
        private String noDisk() throws IOException {
            throw new IOException("fallback");
        }

        @Locked(key = "'failing'")
        public void failing() throws IOException {
            throw new IOException("disk");
        }

        @Locked(key = "'erring'")
        public void erring() {
            throw new AssertionError("error");
        }

        @Locked(key = "'losing'")
        public String losing() {
            Contexts.expire(CurrentLease.get());
            return "done";
        }

        @Locked(key = "'losing'")
        public void losingAndFailing() throws IOException {
            Contexts.expire(CurrentLease.get());
            throw new IOException("disk");
        }

        @Locked(key = "'minimum'", holdAtLeast = "1h")
        public void minimum() {}

        @PerTenant("'tenant:' + #name")
        public boolean composed(String name) {
            return guard.isLocked("tenant:" + name);
        }

        @Locked(key = "#order.number")
        public boolean byProperty(Order order) {
            return guard.isLocked(order.number());
        }

        @Locked(key = "#order")
        public boolean byObject(Order order) {
            return true;
        }

        @Locked(key = "tenant + ':' + @invoices.tenant")
        public boolean byBean() {
            return guard.isLocked("acme:acme");
        }

        @Locked(key = "#p0")
        public boolean byPosition(String text) {
            return guard.isLocked(text);
        }

        @Locked(key = "invoice")
        public boolean unquoted() {
            return true;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @LocksInMemory
    static class App {

        @Bean
        Invoices invoices(SyncGuard guard) {
            return new Invoices(guard);
        }
    }
}
