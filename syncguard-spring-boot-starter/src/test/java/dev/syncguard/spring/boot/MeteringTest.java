package dev.syncguard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.SyncGuard;
import dev.syncguard.micrometer.MeteredLockBackend;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class MeteringTest {

    @Test
    @DisplayName("with a registry, acquires are measured and observed, with the kind of the store as a tag")
    void meters() {
        AtomicInteger observed = new AtomicInteger();
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(context -> {
            observed.incrementAndGet();
            return false;
        });
        measured()
                .withBean(ObservationRegistry.class, () -> observations)
                .withPropertyValues("syncguard.metrics.tag-keys=10", "syncguard.metrics.fences=10")
                .run(context -> {
                    SyncGuard guard = context.getBean(SyncGuard.class);
                    guard.acquire("a").close();
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    assertThat(registry.get("syncguard.acquires")
                                    .tags("store", "memory", "outcome", "granted")
                                    .timer()
                                    .count())
                            .isEqualTo(1);
                    assertThat(registry.get("syncguard.acquires")
                                    .timer()
                                    .getId()
                                    .getTag("key"))
                            .hasSize(24);
                    assertThat(registry.find("syncguard.fence").gauge()).isNotNull();
                    assertThat(observed).hasPositiveValue();
                    assertThat(context).getBean(MeterBinder.class).isNotNull();
                });
    }

    @Test
    @DisplayName("without a registry, without the module, or where the property says so, nothing is measured")
    void nothing() {
        Contexts.inMemory().run(context -> assertThat(context).hasSingleBean(SyncGuard.class));
        measured()
                .withClassLoader(new FilteredClassLoader(MeteredLockBackend.class))
                .run(context -> assertThat(context).doesNotHaveBean(BackendDecorator.class));
        measured()
                .withPropertyValues("syncguard.metrics.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(BackendDecorator.class));
    }

    @Test
    @DisplayName("a limit that is out of range is refused by the property")
    void limit() {
        measured()
                .withPropertyValues("syncguard.metrics.tag-keys=20000")
                .run(context -> assertThat(BackendChoiceTest.analysis(context).getDescription())
                        .startsWith("syncguard.metrics.tag-keys: ")
                        .contains("1 to 10000"));
    }

    private static ApplicationContextRunner measured() {
        return Contexts.inMemory().withBean(MeterRegistry.class, SimpleMeterRegistry::new);
    }
}
