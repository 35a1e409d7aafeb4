package dev.syncguard.spring.test;

import dev.syncguard.memory.LockSimulator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Brings the simulator, before the auto-configuration looks for one.
 *
 * @param slice whether the application's own components and all other auto-configuration stay out
 */
record LockContextCustomizer(boolean slice) implements ContextCustomizer {

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
        BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
        registry.registerBeanDefinition(
                "lockSimulator", new RootBeanDefinition(LockSimulator.class, LockSimulator::new));
        if (slice) {
            TestPropertyValues.of(EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY + "=false")
                    .applyTo(context);
            context.getBeanFactory().registerSingleton("syncguardNoComponents", new NoComponents());
        }
    }

    /** Leaves out what a scan of packages finds; what a test imports is not scanned. */
    private static final class NoComponents extends TypeExcludeFilter {

        @Override
        public boolean match(MetadataReader reader, MetadataReaderFactory factory) {
            return true;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof NoComponents;
        }

        @Override
        public int hashCode() {
            return NoComponents.class.hashCode();
        }
    }
}
