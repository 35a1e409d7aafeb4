package dev.syncguard.spring.boot;

import dev.syncguard.SyncGuard;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** The health of the store, in Spring Boot 3.5: its types are in another package there, and this line has no others. */
@AutoConfiguration(after = SyncGuardAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(SyncGuard.class)
@ConditionalOnProperty(name = "management.health.syncguard.enabled", matchIfMissing = true)
class SyncGuardHealth35AutoConfiguration {

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
