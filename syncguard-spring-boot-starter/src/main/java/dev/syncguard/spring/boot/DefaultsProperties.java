package dev.syncguard.spring.boot;

import dev.syncguard.Backoff;
import dev.syncguard.Jitter;
import dev.syncguard.LockOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The options of locks that name none of their own.
 *
 * @param ttl How long a lock lasts unless it is extended. 30 seconds if not set.
 * @param waitAtMost How long an acquire waits. 5 seconds and 10 polls if not set.
 * @param maxRetries How many polls may follow the first attempt.
 * @param retryDelay Delay before the first poll. 100 milliseconds if not set.
 * @param maxRetryDelay Longest delay between two polls. 2 seconds if not set.
 * @param backoff How the delay between polls grows. Exponential if not set.
 * @param jitter How much of the delay is random. Equal if not set.
 * @param retryStoreErrors Whether waiting goes on through transient failures of the store.
 * @param autoExtend Whether locks are extended in the background until they are released.
 * @param holdAtMost How long a lock is extended in the background at most.
 * @param holdAtLeast How long a lock stays locked at least, however soon it is released.
 * @param releaseOnFailure Whether a body that fails releases at once, whatever hold-at-least says.
 * @param interruptOnLoss Whether the thread of a body is interrupted when its lock is lost.
 */
@ConfigurationProperties("syncguard.defaults")
record DefaultsProperties(
        @Nullable Duration ttl,
        @Nullable Duration waitAtMost,
        @Nullable Integer maxRetries,
        @Nullable Duration retryDelay,
        @Nullable Duration maxRetryDelay,
        @Nullable Backoff backoff,
        @Nullable Jitter jitter,
        @DefaultValue("false") boolean retryStoreErrors,
        @DefaultValue("false") boolean autoExtend,
        @Nullable Duration holdAtMost,
        @Nullable Duration holdAtLeast,
        @DefaultValue("false") boolean releaseOnFailure,
        @DefaultValue("false") boolean interruptOnLoss) {

    LockOptions options() {
        return new Settings<>("syncguard.defaults", LockOptions.defaults())
                .set("ttl", ttl, LockOptions::ttl)
                .set("wait-at-most", waitAtMost, LockOptions::waitAtMost)
                .set("max-retries", maxRetries, LockOptions::maxRetries)
                .set("retry-delay", retryDelay, LockOptions::retryDelay)
                .set("max-retry-delay", maxRetryDelay, LockOptions::maxRetryDelay)
                .set("backoff", backoff, LockOptions::backoff)
                .set("jitter", jitter, LockOptions::jitter)
                .flag(retryStoreErrors, LockOptions::retryStoreErrors)
                .flag(autoExtend, LockOptions::autoExtend)
                .set("hold-at-most", holdAtMost, LockOptions::holdAtMost)
                .set("hold-at-least", holdAtLeast, LockOptions::holdAtLeast)
                .flag(releaseOnFailure, LockOptions::releaseOnFailure)
                .flag(interruptOnLoss, LockOptions::interruptOnLoss)
                .value();
    }
}
