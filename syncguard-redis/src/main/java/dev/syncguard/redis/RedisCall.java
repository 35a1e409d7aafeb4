package dev.syncguard.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One command on its way, which knows whether the driver ever began to send it, and is sent once.
 *
 * <p>Drivers before 6.7 send again what was under way when the connection was lost; on a cluster those before 7.7 send late what
 * was given up while they connected to the node. By then only its place in the row of replies can be kept: a PING goes in its
 * stead, and the call fails.
 *
 * <p>It writes itself to the wire: the driver's own arguments cost an object and a buffer each, more than the rest of an
 * operation. The driver sees only the key by which a cluster finds the node.
 */
final class RedisCall extends AsyncCommand<String, String, List<Object>> {

    private static final byte[] PING = "*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII);

    private final String first;
    private final List<String> words;
    private final RedisReply reply;
    private final long createdNanos = System.nanoTime();
    private volatile boolean sent;
    private volatile boolean replaced;

    private RedisCall(CommandType type, String first, List<String> words, @Nullable CommandArgs<String, String> route) {
        this(type, first, words, route, new RedisReply());
    }

    private RedisCall(
            CommandType type,
            String first,
            List<String> words,
            @Nullable CommandArgs<String, String> route,
            RedisReply reply) {
        super(new Command<>(type, reply, route));
        this.reply = reply;
        this.first = first;
        this.words = words;
    }

    static RedisCall bySha(RedisRequest<?> request, boolean routed) {
        return new RedisCall(CommandType.EVALSHA, request.script().sha(), request.words(), route(request, routed));
    }

    /** The whole script: executes it and leaves it in the server's cache. */
    static RedisCall byText(RedisRequest<?> request, boolean routed) {
        return new RedisCall(CommandType.EVAL, request.script().text(), request.words(), route(request, routed));
    }

    private static @Nullable CommandArgs<String, String> route(RedisRequest<?> request, boolean routed) {
        return routed ? new CommandArgs<>(StringCodec.UTF8).addKey(request.firstKey()) : null;
    }

    /** Any other command. */
    static RedisCall of(CommandType type, String... words) {
        return new RedisCall(type, "", Arrays.asList(words), null);
    }

    @Override
    public void encode(ByteBuf buf) {
        boolean again = sent && !reply.takeRedirected();
        sent = true;
        // In this order: who completes it and then finds that it was not sent may rely on that.
        if (again || isDone()) {
            replaced = true;
            buf.writeBytes(PING);
        } else {
            encodeRequest(buf);
        }
    }

    private void encodeRequest(ByteBuf buf) {
        buf.writeByte('*');
        writeNumber(buf, words.size() + (first.isEmpty() ? 1 : 2));
        write(buf, getType().toString());
        if (!first.isEmpty()) {
            write(buf, first);
        }
        for (int i = 0; i < words.size(); i++) {
            write(buf, words.get(i));
        }
    }

    private static void write(ByteBuf buf, String word) {
        buf.writeByte('$');
        writeNumber(buf, ByteBufUtil.utf8Bytes(word));
        ByteBufUtil.writeUtf8(buf, word);
        buf.writeByte('\r').writeByte('\n');
    }

    private static void writeNumber(ByteBuf buf, int number) {
        int unit = 1;
        while (number / unit > 9) {
            unit *= 10;
        }
        for (int rest = number; unit > 0; unit /= 10) {
            buf.writeByte('0' + rest / unit);
            rest %= unit;
        }
        buf.writeByte('\r').writeByte('\n');
    }

    /** The reply has arrived. */
    @Override
    public void complete() {
        if (replaced) {
            completeExceptionally(RedisErrors.lost());
        } else {
            super.complete();
        }
    }

    /** Whether the server may have seen it. Certain only once the driver has completed the call. */
    boolean wasSent() {
        return sent;
    }

    long createdNanos() {
        return createdNanos;
    }
}
