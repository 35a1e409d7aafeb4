package dev.syncguard.spring.aop;

import dev.syncguard.LockOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What scheduled locks do not say themselves.
 *
 * @param lockAtMostFor how long they last if their holder dies
 * @param lockAtLeastFor how long they stay locked at least
 */
public record ScheduledDefaults(
        @Nullable Duration lockAtMostFor, @Nullable Duration lockAtLeastFor) {

    LockOptions apply(LockOptions options) {
        LockOptions result = lockAtMostFor == null ? options : options.ttl(lockAtMostFor);
        return lockAtLeastFor == null ? result : result.holdAtLeast(lockAtLeastFor);
    }
}
