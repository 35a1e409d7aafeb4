package dev.syncguard.redis;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import dev.syncguard.spi.support.WakeUp;

/**
 * Grants by publish and subscribe. The queue stands in the lock's own value and goes with it; the release grants the lock to
 * the first waiter and publishes that to the channel of its process, one for each namespace. No receiver means that the
 * process is gone.
 */
final class RedisHandOver implements HandOver {

    private final String token;
    private final RedisKeys keys;
    private final RedisSubscriptions subscriptions;

    RedisHandOver(RedisKeys keys, RedisSubscriptions subscriptions, String token) {
        this.keys = keys;
        this.subscriptions = subscriptions;
        this.token = token;
    }

    /** Names the channels of this process. */
    String token() {
        return token;
    }

    private String channel(RedisNamespace names) {
        return names.start() + "handover:" + token;
    }

    @Override
    public Subscription subscribe(LockKey key, LockId lockId, Heir heir) {
        WakeUp subscription = new WakeUp(heir::wake);
        String name = channel(keys.of(key));
        String waiter = HandOverChannel.nameOf(lockId);
        HandOverChannel channel = subscriptions.join(
                name,
                HandOverChannel.class,
                () -> new HandOverChannel(name),
                joined -> joined.add(waiter, heir, subscription));
        subscription.join(channel::isActive, () -> channel.remove(waiter));
        return subscription;
    }

    @Override
    public boolean isListening(LockKey key) {
        Channel channel = subscriptions.isEmpty() ? null : subscriptions.find(channel(keys.of(key)));
        return channel != null && channel.isActive();
    }
}
