package dev.syncguard.spring.boot;

import dev.syncguard.SyncGuard;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the store, in Spring Boot 4. */
@AutoConfiguration(after = SyncGuardAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(SyncGuard.class)
@ConditionalOnEnabledHealthIndicator("syncguard")
class SyncGuardHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "syncguardHealthIndicator")
    HealthIndicator syncguardHealthIndicator(SyncGuard guard) {
        StoreHealth store = new StoreHealth(guard);
        return () -> {
            StoreHealth.Answer answer = store.ask();
            Health.Builder health = answer.failure() == null ? Health.up() : Health.down(answer.failure());
            return health.withDetails(answer.details()).build();
        };
    }
}
