package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The channels of a client of ours")
class ClientChannelsTest {

    private final ClientChannels channels = new ClientChannels(Duration.ofSeconds(1));

    /** The fault suite saw it as I8: a client leaves one socket without a peer. */
    @Test
    @SuppressWarnings("deprecation") // the type that there is in all supported versions
    @DisplayName("a reconnect that meets an event loop that has closed its channels leaves no socket (I8)")
    void reconnectDuringShutdownLeavesNoSocket() throws Exception {
        NioEventLoopGroup group = new NioEventLoopGroup(1);
        SingleThreadEventExecutor loop = (SingleThreadEventExecutor) group.next();
        CompletableFuture<Channel> late = new CompletableFuture<>();
        loop.submit(() -> loop.addShutdownHook(() -> late.complete(opened(group))))
                .sync();

        channels.closing();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();

        assertThat(late.get().isOpen()).isFalse();
    }

    @Test
    @SuppressWarnings("deprecation")
    @DisplayName("a channel stays open while its client does")
    void staysOpen() throws Exception {
        NioEventLoopGroup group = new NioEventLoopGroup(1);

        assertThat(group.submit(() -> opened(group)).get().isOpen()).isTrue();

        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }

    /** As the driver does: what a channel has is added when it is registered. */
    @SuppressWarnings("deprecation")
    private Channel opened(NioEventLoopGroup group) {
        ChannelInitializer<Channel> initializer = new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channels.afterChannelInitialized(channel);
            }
        };
        return new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .handler(initializer)
                .register()
                .channel();
    }
}
