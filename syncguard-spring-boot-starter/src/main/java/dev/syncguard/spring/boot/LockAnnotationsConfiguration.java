package dev.syncguard.spring.boot;

import dev.syncguard.SyncGuard;
import dev.syncguard.spring.aop.LockAdvisor;
import dev.syncguard.spring.aop.LockedBeanCheck;
import dev.syncguard.spring.aop.LockedMethods;
import dev.syncguard.spring.aop.ScheduledDefaults;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Locks around annotated methods. Its beans exist before all others, so that it binds its properties by itself. */
@Configuration(proxyBeanMethods = false)
@Import(LockAnnotationsConfiguration.Proxies.class)
class LockAnnotationsConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedMethods syncguardMethods(ConfigurableBeanFactory beans, Environment environment) {
        ScheduledProperties scheduled =
                Binder.get(environment).bindOrCreate("syncguard.scheduled", ScheduledProperties.class);
        return new LockedMethods(
                new EmbeddedValueResolver(beans),
                new BeanFactoryResolver(beans),
                new ScheduledDefaults(scheduled.lockAtMostFor(), scheduled.lockAtLeastFor()));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockAdvisor syncguardAdvisor(
            LockedMethods methods, ObjectProvider<SyncGuard> guard, Environment environment) {
        LockedProperties locked = Binder.get(environment).bindOrCreate("syncguard.locked", LockedProperties.class);
        return new LockAdvisor(methods, guard::getObject, locked.order());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedBeanCheck syncguardBeanCheck(LockedMethods methods) {
        return new LockedBeanCheck(methods);
    }

    /** Whatever else makes proxies (transactions, aspects), or nothing: annotated beans get them. */
    static final class Proxies implements ImportBeanDefinitionRegistrar, EnvironmentAware {

        private boolean ofClasses = true;

        @Override
        public void setEnvironment(Environment environment) {
            ofClasses = environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
        }

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
            if (ofClasses) {
                AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
            }
        }
    }
}
