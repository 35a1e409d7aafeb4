package dev.syncguard.spring.boot;

import dev.syncguard.fence.servlet.FenceFilter;
import jakarta.servlet.DispatcherType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** Fences in requests to Spring MVC. */
@AutoConfiguration
@ConditionalOnClass({FenceFilter.class, HandlerExceptionResolver.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "syncguard.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WebProperties.class)
class SyncGuardWebAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "syncguard.web.stale-fence-conflict", matchIfMissing = true)
    StaleFenceResolver syncguardStaleFenceResolver() {
        return new StaleFenceResolver();
    }

    /** Inside of all other filters: a fence is no credential. */
    @Bean
    FilterRegistrationBean<FenceFilter> syncguardFenceFilter(WebProperties properties) {
        FilterRegistrationBean<FenceFilter> filter =
                new FilterRegistrationBean<>(new FenceFilter(properties.fenceRequired()));
        filter.setUrlPatterns(properties.fencePaths());
        filter.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        filter.setEnabled(!properties.fencePaths().isEmpty());
        return filter;
    }
}
