package dev.syncguard.redis;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;

/**
 * What the channels of a client of ours have besides those of the driver: writes of many callers leave in one packet, and a
 * silent connection is given up.
 *
 * <p>A reconnect that is under way while the client is shut down can bring a channel to an event loop that has closed all of
 * its own already. No one closes that channel any more, and its socket stays for good. So from {@link #closing} on a new
 * channel is closed at once, on its event loop: what was there before is closed by the loop itself.
 */
final class ClientChannels implements NettyCustomizer {

    private final Duration timeout;
    private volatile boolean closing;

    ClientChannels(Duration timeout) {
        this.timeout = timeout;
    }

    /** To be called before the client is shut down. */
    void closing() {
        closing = true;
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
        if (closing) {
            var unused = channel.close();
            return;
        }
        channel.pipeline().addFirst(new FlushConsolidationHandler(256, false));
        channel.pipeline().addFirst(new SilenceHandler(timeout.multipliedBy(2)));
    }
}
