package dev.syncguard.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Fence;
import dev.syncguard.LockInfo;
import dev.syncguard.SyncGuard;
import dev.syncguard.spring.boot.Contexts;
import dev.syncguard.spring.boot.LocksInMemory;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

class ScheduledLockTest {

    private static ConfigurableApplicationContext context;
    private static SyncGuard guard;
    private static Jobs jobs;

    @BeforeAll
    static void start() {
        context = Contexts.start(App.class, "app.name=billing", "syncguard.scheduled.lock-at-most-for=9m");
        guard = context.getBean(SyncGuard.class);
        jobs = context.getBean(Jobs.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    @DisplayName("a job runs with its lock, again and again, with rising fences")
    void runs() {
        await().until(() -> Jobs.FENCES.size() >= 3);

        assertThat(List.copyOf(Jobs.FENCES)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("a job whose lock another instance holds is skipped without an error")
    void skips() {
        Contexts.whileHeld(guard, "billing-report", () -> {
            jobs.report();
            assertThat(Jobs.REPORTS).isEmpty();
        });
        jobs.report();
        assertThat(Jobs.REPORTS).hasSize(1);
    }

    @Test
    @DisplayName("a job that was quick stays locked for the minimum, one that was slow does not")
    void minimum() {
        jobs.minimum();
        jobs.minimum();

        assertThat(Jobs.MINIMA).hasSize(1);
        assertThat(guard.isLocked("minimum")).isTrue();
    }

    @Test
    @DisplayName("the lock lasts as long as the annotation, or else the property, says")
    void atMost() {
        LockInfo own = jobs.tenMinutes();
        assertThat(own.expiresAtMs() - own.acquiredAtMs()).isEqualTo(600_000);
        LockInfo property = jobs.nineMinutes();
        assertThat(property.expiresAtMs() - property.acquiredAtMs()).isEqualTo(540_000);
    }

    static class Jobs {

        static final Queue<Fence> FENCES = new ConcurrentLinkedQueue<>();
        static final Queue<Fence> REPORTS = new ConcurrentLinkedQueue<>();
        static final Queue<Fence> MINIMA = new ConcurrentLinkedQueue<>();
        private final SyncGuard guard;

        Jobs(SyncGuard guard) {
            this.guard = guard;
        }

        @Scheduled(fixedDelay = 5)
        @ScheduledLock(name = "tick", lockAtMostFor = "1m")
        public void tick() {
            FENCES.add(CurrentLease.get().fence());
        }

        @ScheduledLock(name = "${app.name}-report", lockAtMostFor = "10m")
        public void report() {
            REPORTS.add(CurrentLease.get().fence());
        }

        @ScheduledLock(name = "minimum", lockAtMostFor = "1h", lockAtLeastFor = "30m")
        public void minimum() {
            MINIMA.add(CurrentLease.get().fence());
        }

        @ScheduledLock(name = "ten", lockAtMostFor = "10m")
        public LockInfo tenMinutes() {
            return guard.lookup("ten").orElseThrow();
        }

        @ScheduledLock(name = "nine")
        public LockInfo nineMinutes() {
            return guard.lookup("nine").orElseThrow();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @LocksInMemory
    static class App {

        @Bean
        Jobs jobs(SyncGuard guard) {
            return new Jobs(guard);
        }
    }
}
