package dev.syncguard.redis;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection on which something was sent and nothing came back: behind a dead router it would otherwise swallow
 * every command until the kernel gives up, a quarter of an hour later. The driver then connects anew.
 */
final class SilenceHandler extends IdleStateHandler {

    private final long limitNanos;
    private boolean unanswered;
    private long sinceNanos;

    /** Looks each time nothing was read for half of the limit. */
    SilenceHandler(Duration limit) {
        super(limit.toNanos() / 2, 0, 0, TimeUnit.NANOSECONDS);
        this.limitNanos = limit.toNanos();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (!unanswered) {
            unanswered = true;
            sinceNanos = System.nanoTime();
        }
        super.write(context, message, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        unanswered = false;
        super.channelRead(context, message);
    }

    @Override
    protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
        if (unanswered && System.nanoTime() - sinceNanos > limitNanos) {
            var unused = context.close();
        }
    }
}
