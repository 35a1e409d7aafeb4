package dev.syncguard.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What methods with {@code @ScheduledLock} do not say themselves.
 *
 * @param lockAtMostFor How long a scheduled lock lasts if its holder dies.
 * @param lockAtLeastFor How long a scheduled lock stays locked, however soon the method ends.
 */
@ConfigurationProperties("syncguard.scheduled")
record ScheduledProperties(
        @Nullable Duration lockAtMostFor, @Nullable Duration lockAtLeastFor) {}
