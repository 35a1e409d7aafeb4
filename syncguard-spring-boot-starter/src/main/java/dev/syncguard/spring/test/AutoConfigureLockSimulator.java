package dev.syncguard.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Puts the locks of a test's application into a {@link dev.syncguard.memory.LockSimulator}, which is a bean then: for
 * {@code @SpringBootTest}. Whatever store is configured is not used.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface AutoConfigureLockSimulator {}
