package dev.syncguard.redis;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import java.util.Map;
import java.util.function.Consumer;

/** Hands what the subscription connection receives to its channel. Runs on a thread of the driver; nothing here blocks. */
final class SignalListener extends RedisPubSubAdapter<String, String> {

    private final Map<String, Channel> channels;

    SignalListener(Map<String, Channel> channels) {
        this.channels = channels;
    }

    private void on(String name, Consumer<Channel> event) {
        Channel channel = channels.get(name);
        if (channel != null) {
            event.accept(channel);
        }
    }

    @Override
    public void message(String channel, String text) {
        on(channel, found -> found.message(text));
    }

    @Override
    public void smessage(String channel, String text) {
        message(channel, text);
    }

    @Override
    public void subscribed(String channel, long count) {
        on(channel, Channel::confirmed);
    }

    @Override
    public void ssubscribed(String channel, long count) {
        subscribed(channel, count);
    }

    @Override
    public void unsubscribed(String channel, long count) {
        on(channel, Channel::lost);
    }

    /** Also sent by a cluster that moves the slot. */
    @Override
    public void sunsubscribed(String channel, long count) {
        unsubscribed(channel, count);
    }
}
