package dev.syncguard.spring.boot;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/** An application whose store is chosen by its properties. */
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration(SyncGuardAutoConfiguration.class)
public @interface LocksFromProperties {}
