package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisException;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a call")
class RedisCallTest {

    private static final String REQUEST = "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n";
    private static final String PING = "*1\r\n$4\r\nPING\r\n";

    private final RedisCall call = RedisCall.of(CommandType.GET, "k");

    /** As the driver does it, on any channel. */
    private String write() {
        ByteBuf buffer = Unpooled.buffer();
        call.encode(buffer);
        return buffer.toString(StandardCharsets.UTF_8);
    }

    private void answer(String text) {
        call.getOutput().set(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        call.complete();
    }

    private void redirect() {
        call.getOutput().setError(ByteBuffer.wrap("MOVED 1 127.0.0.1:7000".getBytes(StandardCharsets.UTF_8)));
        call.getOutput().setError((String) null);
    }

    @Test
    @DisplayName("is written once: a second time keeps its place in the row of replies, and it fails")
    void once() {
        assertThat(call.wasSent()).isFalse();
        assertThat(write()).isEqualTo(REQUEST);
        assertThat(call.wasSent()).isTrue();
        assertThat(write()).isEqualTo(PING);
        assertThat(write()).isEqualTo(PING);
        assertThat(call).isNotDone();

        answer("PONG");

        assertThat(call).isCompletedExceptionally();
        assertThat(call.handle((reply, failure) -> failure).join()).isInstanceOf(RedisException.class);
    }

    @Test
    @DisplayName("is written again to the node to which another one led, and once to that one")
    void redirected() {
        assertThat(write()).isEqualTo(REQUEST);
        redirect();
        assertThat(write()).isEqualTo(REQUEST);
        assertThat(write()).isEqualTo(PING);
    }

    @Test
    @DisplayName("that was redirected gets the reply of the other node")
    void redirectedReply() {
        assertThat(write()).isEqualTo(REQUEST);
        redirect();
        assertThat(write()).isEqualTo(REQUEST);

        answer("v");

        assertThat(call.join()).containsExactly("v");
    }

    @Test
    @DisplayName("that was given up is not written any more")
    void givenUp() {
        call.completeExceptionally(new TimeoutException());

        assertThat(write()).isEqualTo(PING);
        answer("PONG");
        assertThat(call.handle((reply, failure) -> failure).join()).isInstanceOf(TimeoutException.class);
    }
}
