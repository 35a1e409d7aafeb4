package dev.syncguard.spring.boot;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of methods with {@code @Locked} and {@code @ScheduledLock}.
 *
 * @param order Order of the lock among the interceptors of a bean; lower is further outside. The default is outside of transactions.
 */
@ConfigurationProperties("syncguard.locked")
record LockedProperties(@DefaultValue("2147482647") int order) {}
