package dev.syncguard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.SyncGuard;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

class LifecycleTest {

    @Test
    @DisplayName("a stop waits for the locks that are held, and closes the guard")
    void waits() throws Exception {
        ConfigurableApplicationContext context = Contexts.start(App.class);
        SyncGuard guard = context.getBean(SyncGuard.class);
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> body = CompletableFuture.runAsync(() -> guard.run("a", lease -> {
            held.countDown();
            await().until(() -> end.getCount() == 0);
            ended.set(lease.isValid());
        }));
        held.await();
        CompletableFuture<Boolean> stop = CompletableFuture.supplyAsync(() -> {
            context.close();
            return ended.get();
        });
        await().untilAsserted(() ->
                assertThatThrownBy(() -> guard.run("b", lease -> {})).isInstanceOf(IllegalStateException.class));
        assertThat(stop).isNotDone();
        end.countDown();

        assertThat(stop.join()).isTrue();
        body.join();
    }

    @Test
    @DisplayName("a lock that is held for longer does not hold the stop up")
    void givesUp() {
        ConfigurableApplicationContext context = Contexts.start(App.class, "syncguard.shutdown-timeout=10ms");
        SyncGuard guard = context.getBean(SyncGuard.class);
        guard.acquire("a");

        context.close();

        assertThatThrownBy(() -> guard.isLocked("a")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("a context that was stopped says that it cannot be started again")
    void restart() {
        try (ConfigurableApplicationContext context = Contexts.start(App.class)) {
            context.stop();

            assertThatThrownBy(context::start).hasStackTraceContaining("create a new context");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @LocksInMemory
    static class App {}
}
