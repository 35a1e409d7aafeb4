package dev.syncguard.spring.boot;

import dev.syncguard.KeyHash;
import dev.syncguard.SyncGuard;
import dev.syncguard.SyncGuardBuilder;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spring.SyncGuardCustomizer;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * One guard for the application, on the store that its properties or its beans lead to. A {@link SyncGuard} or {@link
 * LockBackend} bean of the application takes precedence.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "com.google.cloud.spring.autoconfigure.firestore.GcpFirestoreAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnProperty(name = "syncguard.enabled", matchIfMissing = true)
@EnableConfigurationProperties({
    SyncGuardProperties.class,
    DefaultsProperties.class,
    ScheduledProperties.class,
    LockedProperties.class
})
@Import({
    BackendSources.Redis.class,
    BackendSources.Postgres.class,
    BackendSources.Cloud.class,
    BackendSources.File.class,
    BackendSources.Memory.class,
    MetricsConfiguration.class,
    LockAnnotationsConfiguration.class
})
class SyncGuardAutoConfiguration {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean({SyncGuard.class, LockBackend.class, LockSimulator.class})
    @DependsOnDatabaseInitialization
    LockBackend syncguardBackend(SyncGuardProperties properties, ObjectProvider<BackendSource> sources) {
        return new BackendChooser(properties, sources.orderedStream().toList()).choose();
    }

    /** In a simulator, if there is one. Customizers are for real threads then, which it has none of. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    SyncGuard syncguard(
            ObjectProvider<LockBackend> backend,
            ObjectProvider<LockSimulator> simulator,
            SyncGuardProperties properties,
            DefaultsProperties defaults,
            ObjectProvider<BackendDecorator> decorators,
            ObjectProvider<SyncGuardCustomizer> customizers) {
        UnaryOperator<LockBackend> decorate = plain -> decorated(plain, decorators);
        UnaryOperator<SyncGuardBuilder> settings = builder -> settings(builder, properties, defaults);
        LockSimulator simulated = simulator.getIfAvailable();
        if (simulated != null) {
            return simulated.newGuard(decorate, settings);
        }
        SyncGuardBuilder builder = settings.apply(SyncGuard.builder(decorate.apply(backend.getObject())));
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }

    private static LockBackend decorated(LockBackend plain, ObjectProvider<BackendDecorator> decorators) {
        LockBackend decorated = plain;
        for (BackendDecorator decorator : decorators.orderedStream().toList()) {
            decorated = decorator.decorate(decorated);
        }
        return decorated;
    }

    private static SyncGuardBuilder settings(
            SyncGuardBuilder builder, SyncGuardProperties properties, DefaultsProperties defaults) {
        return new Settings<>("syncguard", builder.defaults(defaults.options()))
                .set("dispose-timeout", properties.disposeTimeout(), SyncGuardBuilder::disposeTimeout)
                .set("threads", properties.threads(), SyncGuardBuilder::threads)
                .set("label", properties.label(), SyncGuardBuilder::label)
                .set(
                        "hash-secret",
                        properties.hashSecret(),
                        (self, secret) -> self.hash(KeyHash.keyed(secret.getBytes(StandardCharsets.UTF_8))))
                .value();
    }

    @Bean
    @ConditionalOnMissingBean
    GuardLifecycle syncguardLifecycle(SyncGuard guard, SyncGuardProperties properties) {
        return new GuardLifecycle(guard, properties.shutdownTimeout());
    }
}
