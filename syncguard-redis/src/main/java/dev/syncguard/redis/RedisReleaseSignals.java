package dev.syncguard.redis;

import dev.syncguard.LockKey;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.support.InterruptShield;
import dev.syncguard.spi.support.StoreThreads;
import dev.syncguard.spi.support.WakeUp;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Wake-ups by publish and subscribe, over one connection that is opened when somebody waits for the first time.
 *
 * <p>The channel of a lock is its storage key. A refused waiter leaves the token of its process in the lock's own value;
 * the release publishes the tokens it finds there, oldest first. The process named first wakes at once and takes the others
 * along into the lock that it is granted; the others look a little later, in case the first one is gone. So one release
 * causes one attempt, not one for each process, and the oldest waiter comes first.
 *
 * <p>Nothing depends on a message: a waiter polls as well. A channel is active only after the server confirmed it and while
 * no connection went down since; until then attempts leave no token.
 */
final class RedisReleaseSignals implements ReleaseSignals, AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final long TICK_MS = 500;
    private static final long OPENING_MS = 500;

    private final String token = LockIds.random().value().substring(0, 8);
    private final RedisKeys keys;
    private final RedisLink.Opener opener;
    private final boolean sharded;
    private final ScheduledExecutorService timer;
    private final ConcurrentHashMap<String, SignalChannel> channels = new ConcurrentHashMap<>();
    private final AtomicBoolean opening = new AtomicBoolean();
    private final AtomicBoolean ticking = new AtomicBoolean();

    private volatile @Nullable StatefulRedisPubSubConnection<String, String> connection;
    private volatile @Nullable Thread opens;
    private volatile boolean closed;

    RedisReleaseSignals(RedisKeys keys, RedisLink.Opener opener, boolean sharded, ScheduledExecutorService timer) {
        this.keys = keys;
        this.opener = opener;
        this.sharded = sharded;
        this.timer = timer;
        opener.onDisconnect(() -> channels.values().forEach(SignalChannel::lost));
    }

    /** Names this process among the waiters. */
    String token() {
        return token;
    }

    /** The tokens of the processes that wait behind this one for a lock, once: they move on with the attempt. */
    String takeOthers(String lock) {
        SignalChannel channel = channels.get(lock);
        return channel == null ? "" : channel.takeOthers();
    }

    /** Changes of the map and what is sent for them happen inside {@code compute}: for each channel in one order. */
    @Override
    public Subscription subscribe(LockKey key, Runnable wakeUp) {
        String name = keys.of(key).lock(key);
        WakeUp subscription = new WakeUp(wakeUp);
        SignalChannel channel = channels.compute(name, (k, existing) -> {
            SignalChannel joined = existing == null ? new SignalChannel(name, token, timer) : existing;
            joined.add(subscription);
            if (existing == null) {
                ask(joined);
            }
            return joined;
        });
        if (connection == null) {
            open();
        }
        if (ticking.compareAndSet(false, true)) {
            schedule();
        }
        subscription.join(channel::isActive, () -> channel.remove(subscription));
        return subscription;
    }

    /** Asks the server to send what is published; the confirmation comes to the listener. */
    private void ask(SignalChannel channel) {
        StatefulRedisPubSubConnection<String, String> current = connection;
        if (current != null && !closed) {
            var unused = sharded
                    ? current.async().ssubscribe(channel.name())
                    : current.async().subscribe(channel.name());
        }
    }

    private void dropIfIdle(String name) {
        channels.computeIfPresent(name, (k, channel) -> {
            if (!channel.isIdle()) {
                return channel;
            }
            StatefulRedisPubSubConnection<String, String> current = connection;
            if (current != null) {
                var unused = sharded
                        ? current.async().sunsubscribe(name)
                        : current.async().unsubscribe(name);
            }
            return null;
        });
    }

    private void schedule() {
        if (!closed) {
            var unused = timer.schedule(this::tick, TICK_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** Asks again for channels that are not confirmed, drops those that nobody wants, rests when there are none. */
    private void tick() {
        if (connection == null) {
            open();
        }
        channels.values().stream().filter(channel -> !channel.isActive()).forEach(this::ask);
        channels.keySet().forEach(this::dropIfIdle);
        if (channels.isEmpty()) {
            ticking.set(false);
        }
        if (!channels.isEmpty() && (ticking.get() || ticking.compareAndSet(false, true))) {
            schedule();
        }
    }

    /** Opening blocks, and neither a waiter nor a thread of the driver may: a thread for it alone. */
    private void open() {
        if (!closed && opening.compareAndSet(false, true)) {
            try {
                opens = StoreThreads.start("syncguard-redis-subscribe", this::openNow);
            } catch (Throwable e) {
                opening.set(false); // no thread now: the next tick tries again
            }
        }
    }

    private void openNow() {
        try {
            StatefulRedisPubSubConnection<String, String> opened = opener.openPubSub();
            opened.addListener(new SignalListener(channels));
            connection = opened;
            channels.values().forEach(this::ask);
            if (closed) {
                var unused = opened.closeAsync();
            }
        } catch (RuntimeException e) {
            LOGGER.log(Level.DEBUG, "no connection for release signals yet; waiters poll: {0}", e.getMessage());
        } finally {
            opening.set(false);
        }
    }

    /** Waits for an opening that is under way, and ends it then: on a client that is shut down it would wait for ever. */
    @Override
    public void close() {
        closed = true;
        channels.clear();
        Thread thread = opens;
        if (thread != null) {
            await(thread);
            thread.interrupt();
            await(thread);
        }
    }

    private static void await(Thread thread) {
        try (InterruptShield shield = new InterruptShield()) {
            try {
                thread.join(OPENING_MS);
            } catch (InterruptedException e) {
                shield.caught();
            }
        }
    }
}
