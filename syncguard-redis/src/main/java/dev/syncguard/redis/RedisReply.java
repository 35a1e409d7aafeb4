package dev.syncguard.redis;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reply as a flat list of texts and numbers; nested lists are flattened. */
final class RedisReply extends CommandOutput<String, String, List<Object>> {

    RedisReply() {
        super(StringCodec.UTF8, new ArrayList<>(6));
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        output.add(bytes == null ? "" : codec.decodeValue(bytes));
    }

    @Override
    public void set(long integer) {
        output.add(integer);
    }

    static long number(List<Object> reply, int index) {
        if (index < reply.size() && reply.get(index) instanceof Long number) {
            return number;
        }
        throw unexpected();
    }

    static String text(List<Object> reply, int index) {
        if (index < reply.size() && reply.get(index) instanceof String text) {
            return text;
        }
        throw unexpected();
    }

    static Fence fence(List<Object> reply, int index) {
        try {
            return Fence.parse(text(reply, index));
        } catch (LockException e) {
            throw foreign();
        }
    }

    static LockId lockId(List<Object> reply, int index) {
        try {
            return LockId.parse(text(reply, index));
        } catch (LockException e) {
            throw foreign();
        }
    }

    static LockException foreign() {
        return new LockException(
                Code.INTERNAL,
                "foreign value at lock key: not a lock of this library; remove it, or use another key or prefix");
    }

    static LockException unexpected() {
        return new LockException(
                Code.INTERNAL,
                "the server gave an answer that no script of this library gives; is the connection in a transaction?",
                null,
                true);
    }
}
