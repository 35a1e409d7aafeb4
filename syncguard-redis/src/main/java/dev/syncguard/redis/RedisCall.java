package dev.syncguard.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** One command on its way, which knows whether the driver ever began to send it. */
final class RedisCall extends AsyncCommand<String, String, List<Object>> {

    private volatile boolean sent;
    private final long createdNanos = System.nanoTime();

    private RedisCall(ProtocolKeyword type, CommandArgs<String, String> args) {
        super(new Command<>(type, new RedisReply(), args));
    }

    static RedisCall bySha(RedisRequest<?> request) {
        return script(CommandType.EVALSHA, request.script().sha(), request);
    }

    /** The whole script: executes it and leaves it in the server's cache. */
    static RedisCall byText(RedisRequest<?> request) {
        return script(CommandType.EVAL, request.script().text(), request);
    }

    private static RedisCall script(CommandType type, String script, RedisRequest<?> request) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8).add(script);
        args.add(request.keys().size());
        for (String key : request.keys()) {
            args.addKey(key);
        }
        for (String value : request.args()) {
            args.addValue(value);
        }
        return new RedisCall(type, args);
    }

    static RedisCall of(ProtocolKeyword type, String... args) {
        CommandArgs<String, String> all = new CommandArgs<>(StringCodec.UTF8);
        for (String arg : args) {
            all.add(arg);
        }
        return new RedisCall(type, all);
    }

    @Override
    public void encode(ByteBuf buf) {
        sent = true;
        super.encode(buf);
    }

    /** Whether the server may have seen it. Certain only once the driver has completed the call. */
    boolean wasSent() {
        return sent;
    }

    long createdNanos() {
        return createdNanos;
    }
}
