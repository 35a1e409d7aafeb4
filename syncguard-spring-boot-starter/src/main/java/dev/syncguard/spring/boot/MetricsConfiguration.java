package dev.syncguard.spring.boot;

import dev.syncguard.SyncGuard;
import dev.syncguard.micrometer.GuardMeters;
import dev.syncguard.micrometer.MeteredBackendBuilder;
import dev.syncguard.micrometer.MeteredLockBackend;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters and observations of locks, if the application has a registry. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({MeteredLockBackend.class, MeterRegistry.class})
@ConditionalOnProperty(name = "syncguard.metrics.enabled", matchIfMissing = true)
@EnableConfigurationProperties(MetricsProperties.class)
class MetricsConfiguration {

    @Bean
    BackendDecorator syncguardMetering(
            MetricsProperties properties,
            ObjectProvider<MeterRegistry> registries,
            ObjectProvider<ObservationRegistry> observations) {
        return backend -> {
            MeterRegistry registry = registries.getIfUnique();
            if (registry == null) {
                return backend;
            }
            MeteredBackendBuilder builder = MeteredLockBackend.builder(backend, registry)
                    .tags(store(backend.capabilities().backend()));
            new Settings<>("syncguard.metrics", builder)
                    .set("tag-keys", unlessZero(properties.tagKeys()), MeteredBackendBuilder::tagKeys)
                    .set("fences", unlessZero(properties.fences()), MeteredBackendBuilder::fences);
            if (properties.observations()) {
                observations.ifUnique(builder::observations);
            }
            return builder.build();
        };
    }

    @Bean
    MeterBinder syncguardMeters(SyncGuard guard) {
        return new GuardMeters(guard, store(guard.capabilities().backend()));
    }

    private static Tags store(String backend) {
        return Tags.of("store", backend);
    }

    private static @Nullable Integer unlessZero(int number) {
        return number == 0 ? null : number;
    }
}
