package dev.syncguard.redis;

import dev.syncguard.spi.support.InterruptShield;
import dev.syncguard.spi.support.StoreThreads;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The channels that this process listens to, over one connection that is opened when a waiter comes for the first time.
 *
 * <p>Nothing depends on a message: a waiter polls as well. A channel is active only after the server confirmed it and while
 * no connection went down since.
 */
final class RedisSubscriptions implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final long TICK_MS = 500;
    private static final long OPENING_MS = 500;

    private final RedisLink.Opener opener;
    private final boolean sharded;
    private final ScheduledExecutorService timer;
    private final ConcurrentHashMap<String, Channel> channels = new ConcurrentHashMap<>();
    private final AtomicBoolean opening = new AtomicBoolean();
    private final AtomicBoolean ticking = new AtomicBoolean();

    private volatile @Nullable StatefulRedisPubSubConnection<String, String> connection;
    private volatile @Nullable Thread opens;
    private volatile boolean closed;

    RedisSubscriptions(RedisLink.Opener opener, boolean sharded, ScheduledExecutorService timer) {
        this.opener = opener;
        this.sharded = sharded;
        this.timer = timer;
        opener.onDisconnect(() -> channels.values().forEach(Channel::lost));
    }

    /** Whether no waiter has come for a while. */
    boolean isEmpty() {
        return channels.isEmpty();
    }

    @Nullable
    Channel find(String name) {
        return channels.get(name);
    }

    /**
     * Lets a waiter join a channel, and begins to listen to it. Changes of the map and what is sent for them happen inside
     * {@code compute}: for each channel in one order.
     */
    <C extends Channel> C join(String name, Class<C> type, Supplier<C> maker, Consumer<C> waiter) {
        Channel channel = channels.compute(name, (k, existing) -> {
            C joined = existing == null ? maker.get() : type.cast(existing);
            waiter.accept(joined);
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
        return type.cast(channel);
    }

    /** Asks the server to send what is published; the confirmation comes to the listener. */
    private void ask(Channel channel) {
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
            LOGGER.log(Level.DEBUG, "no connection for subscriptions yet; waiters poll: {0}", e.getMessage());
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
