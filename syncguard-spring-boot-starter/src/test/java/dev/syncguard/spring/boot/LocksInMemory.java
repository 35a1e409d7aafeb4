package dev.syncguard.spring.boot;

import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.LockBackend;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application whose locks are kept in this process. */
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration(SyncGuardAutoConfiguration.class)
@Import(LocksInMemory.Backend.class)
public @interface LocksInMemory {

    /** The store. */
    @Configuration(proxyBeanMethods = false)
    class Backend {

        @Bean
        LockBackend backend() {
            return new MemoryLockBackend();
        }
    }
}
