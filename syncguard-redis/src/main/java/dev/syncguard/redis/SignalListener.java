package dev.syncguard.redis;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import java.util.Map;
import java.util.function.Consumer;

/** Hands what the subscription connection receives to its channel. Runs on a thread of the driver; nothing here blocks. */
final class SignalListener extends RedisPubSubAdapter<String, String> {

    private final Map<String, SignalChannel> channels;

    SignalListener(Map<String, SignalChannel> channels) {
        this.channels = channels;
    }

    private void on(String name, Consumer<SignalChannel> event) {
        SignalChannel channel = channels.get(name);
        if (channel != null) {
            event.accept(channel);
        }
    }

    @Override
    public void message(String channel, String tokens) {
        on(channel, found -> found.released(tokens));
    }

    @Override
    public void smessage(String channel, String tokens) {
        message(channel, tokens);
    }

    @Override
    public void subscribed(String channel, long count) {
        on(channel, SignalChannel::confirmed);
    }

    @Override
    public void ssubscribed(String channel, long count) {
        subscribed(channel, count);
    }

    @Override
    public void unsubscribed(String channel, long count) {
        on(channel, SignalChannel::lost);
    }

    /** Also sent by a cluster that moves the slot. */
    @Override
    public void sunsubscribed(String channel, long count) {
        unsubscribed(channel, count);
    }
}
