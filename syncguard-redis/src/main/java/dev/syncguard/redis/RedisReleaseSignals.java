package dev.syncguard.redis;

import dev.syncguard.LockKey;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.support.WakeUp;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Wake-ups by publish and subscribe.
 *
 * <p>The channel of a lock is its storage key. A refused waiter leaves the token of its process in the lock's own value;
 * the release publishes the tokens it finds there, oldest first. The process named first wakes at once and takes the others
 * along into the lock that it is granted; the others look a little later, in case the first one is gone. So one release
 * causes one attempt, not one for each process, and the oldest waiter comes first. An attempt leaves a token only while its
 * channel is active.
 */
final class RedisReleaseSignals implements ReleaseSignals {

    private final String token;
    private final RedisKeys keys;
    private final RedisSubscriptions subscriptions;
    private final ScheduledExecutorService timer;

    /**
     * Creates the signals of a backend.
     *
     * @param token names this process among the waiters
     */
    RedisReleaseSignals(
            RedisKeys keys, RedisSubscriptions subscriptions, String token, ScheduledExecutorService timer) {
        this.keys = keys;
        this.subscriptions = subscriptions;
        this.token = token;
        this.timer = timer;
    }

    String token() {
        return token;
    }

    /** The tokens of the processes that wait behind this one for a lock, once: they move on with the attempt. */
    String takeOthers(String lock) {
        return subscriptions.find(lock) instanceof SignalChannel channel ? channel.takeOthers() : "";
    }

    @Override
    public Subscription subscribe(LockKey key, Runnable wakeUp) {
        String name = keys.of(key).lock(key);
        WakeUp subscription = new WakeUp(wakeUp);
        SignalChannel channel = subscriptions.join(
                name,
                SignalChannel.class,
                () -> new SignalChannel(name, token, timer),
                joined -> joined.add(subscription));
        subscription.join(channel::isActive, () -> channel.remove(subscription));
        return subscription;
    }
}
