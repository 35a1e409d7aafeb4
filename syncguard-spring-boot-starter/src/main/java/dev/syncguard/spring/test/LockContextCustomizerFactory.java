package dev.syncguard.spring.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Finds the tests that want simulated locks. */
final class LockContextCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configuration) {
        return TestContextAnnotationUtils.hasAnnotation(testClass, AutoConfigureLockSimulator.class)
                ? new LockContextCustomizer(TestContextAnnotationUtils.hasAnnotation(testClass, LockTest.class))
                : null;
    }
}
